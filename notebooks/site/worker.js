// The lab's service worker: keeps what a visit loads, so that the next one needs no network.
//
// The files of one build go together: they are kept under its name, and taken from there. Another build brings
// another worker, which begins anew. Everything else, the learner's own files above all, is for JupyterLite's worker.

const KEPT = "minitape-lab-{VERSION}";
const ALWAYS = ["{ALWAYS}"]; // also where this visit did not ask for it
const LAB = self.registration.scope;
const OTHERS = ["api/drive", "api/stdin", "api/service-worker-heartbeat"].map((name) => LAB + name);
const OURS = [LAB, new URL("../pyodide/", LAB).href];

const isOurs = (url) => OURS.some((one) => url.startsWith(one)) && !OTHERS.some((one) => url.startsWith(one));
const nameOf = (url) => url.replace(/[?#].*/s, "").replace(/\/$/, "/index.html");

async function answer(request) {
  const kept = await caches.open(KEPT);
  const found = await kept.match(nameOf(request.url));
  if (found) return found;
  const fetched = await fetch(request);
  if (fetched.status === 200) await kept.put(nameOf(request.url), fetched.clone());
  return fetched;
}

async function keep(urls) {
  const kept = await caches.open(KEPT);
  for (const url of new Set(urls.filter(isOurs).map(nameOf))) if (!(await kept.match(url))) await kept.add(url);
}

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || !isOurs(event.request.url)) return;
  event.stopImmediatePropagation();
  event.respondWith(answer(event.request));
});

self.addEventListener("message", (event) => {
  const always = ALWAYS.map((name) => new URL(`../${name}`, LAB).href);
  if (event.data?.keep) event.waitUntil(keep([...event.data.keep, ...always]).catch(() => {}));
});

self.addEventListener("activate", (event) => {
  const old = (name) => name.startsWith("minitape-lab-") && name !== KEPT;
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name)))));
});

importScripts("drive-worker.js");

// In the lab's page: tells the service worker what was loaded before it stood in between.
performance.setResourceTimingBufferSize(2000);
const registration = await navigator.serviceWorker?.ready;
const tell = (names) => registration?.active?.postMessage({ keep: names });
tell([location.href]);
new PerformanceObserver((list) => tell(list.getEntries().map((entry) => entry.name))).observe({
  type: "resource",
  buffered: true,
});

// JupyterLite unregisters a worker whose version it does not know, which it first writes down at the second visit: without a
// network no other one comes.
const lite = await (await fetch("../jupyter-lite.json")).json();
const { scriptURL } = registration?.active ?? {};
if (scriptURL) localStorage.setItem(`${scriptURL}-version`, lite["jupyter-config-data"].appVersion);

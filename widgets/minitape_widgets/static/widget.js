// @ts-check
// What travels with every widget, for anywidget. It is small, because a page never lets go of a module that it has
// imported. The front end comes once for a kernel, as the text of a model of its own (front_end.py) that all players
// name, and is loaded once for a page, however many players come and go.

/**
 * What shows a payload; `players` brings the front end of players, for a view which opens them.
 * @typedef {(
 *   element: Element, payload: unknown, isFresh: () => boolean, model: any, players: () => Promise<FrontEnd>,
 * ) => () => void} Show
 */
/** @typedef {{ show: Show }} FrontEnd */
/**
 * What anywidget gives.
 * @typedef {{
 *   get: (name: string) => any,
 *   set: (name: string, value: unknown) => void,
 *   save_changes: () => void,
 *   send: (message: unknown) => void,
 *   on: (event: string, heard: (message: any) => void) => void,
 *   off: (event: string, heard: (message: any) => void) => void,
 *   widget_manager: { get_model: (id: string) => Promise<{ get: (name: string) => any }> },
 * }} Model
 */

const page = /** @type {any} */ (globalThis);

/**
 * The managers that models of this page belong to, and who waits for one: the extension for JupyterLab (remoteEntry.js)
 * finds the model of an output there.
 * @type {{ managers: Set<unknown>, waiting: Set<() => void> }}
 */
const kernels = (page[Symbol.for("minitape.kernels")] ??= { managers: new Set(), waiting: new Set() });

/** @type {Map<string, Promise<FrontEnd>>} what this page has loaded, by its text: kernels differ in versions */
const loaded = (page[Symbol.for("minitape")] ??= new Map());

/** @type {WeakMap<Model, number>} how many views a model has */
const views = new WeakMap();

/**
 * A front end that a model names: its own, or that of players, for a view which opens them.
 * @param {Model} model
 * @param {string} [which]
 */
async function frontEnd(model, which = "front_end") {
  return once(await carried(model, which).catch(() => asked(model, which)));
}

/** @param {string} text */
function once(text) {
  const result = loaded.get(text) || load(text);
  loaded.set(text, result);
  return result;
}

/**
 * The text that the kernel's model of a front end carries.
 * @param {Model} model
 * @param {string} [which]
 */
async function carried(model, which = "front_end") {
  const name = model.get(which).replace("IPY_MODEL_", "");
  return String((await model.widget_manager.get_model(name)).get("text"));
}

/**
 * The same from the kernel itself, where a notebook hands models to nobody, or has lost that one.
 * @param {Model} model
 * @param {string} which
 * @returns {Promise<string>}
 */
function asked(model, which) {
  return new Promise((answer) => {
    const hear = (/** @type {any} */ message) => {
      if (!message?.[which]) return;
      model.off("msg:custom", hear);
      answer(message[which]);
    };
    model.on("msg:custom", hear);
    model.send({ ask: which });
  });
}

/**
 * @param {string} text
 * @returns {Promise<FrontEnd>}
 */
async function load(text) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  try {
    return await import(url);
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** @param {Model} model */
function sayGone(model) {
  try {
    model.send({ gone: true });
  } catch (_) {
    /* the kernel went first */
  }
}

/**
 * When a model arrives: where the extension for JupyterLab shows the trace itself, a player that stands alone in its
 * output needs no widget, and the kernel may forget it at once. Any other will soon want the front end.
 * @param {{ model: Model }} given
 */
function initialize({ model }) {
  kernels.managers.add(model.widget_manager);
  for (const look of kernels.waiting) look();
  if (model.get("alone") && page._JUPYTERLAB?.minitape?.ready) return sayGone(model);
  const ahead = carried(model).then(once);
  ahead.catch(() => null);
}

/**
 * The model holds the trace; when its last view has gone the kernel may forget it.
 * @param {{ model: Model, el: Element }} given
 */
async function render({ model, el }) {
  views.set(model, (views.get(model) || 0) + 1);
  const fresh = model.get("fresh") === true;
  if (fresh) {
    model.set("fresh", false); // a page that is loaded again finds it where it was
    model.save_changes();
  }
  const players = () => frontEnd(model, "players");
  const close = (await frontEnd(model)).show(el, model.get("payload"), () => fresh, model, players);
  const forget = () => {
    if (!views.get(model)) sayGone(model);
  };
  return () => {
    close();
    views.set(model, (views.get(model) || 0) - 1);
    setTimeout(forget, 3000);
  };
}

export default { initialize, render };

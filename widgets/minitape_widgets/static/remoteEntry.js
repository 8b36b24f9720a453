// @ts-check
// JupyterLab and Notebook 7 load this file when minitape is installed beside them. It tells them how to show a trace,
// so that a notebook which is opened again, without a kernel and before anything has run, shows its players and not
// an error. It is the container that JupyterLab expects of a prebuilt extension, written by hand: two functions, and
// no bundler.

(() => {
  // What shows a trace, a card of the gallery, a training's health. Safe: all show text as text. They come before the
  // widget's own rank (-10): a widget needs a kernel that remembers it, and shows an error where there is none.
  const RANK = -20;
  const CARDS = "card/deliveries.js";
  const SHOWN = [
    { id: "minitape:trace", mime: "application/vnd.minitape.trace.v1+json", file: "deliveries.js" },
    { id: "minitape:card", mime: "application/vnd.minitape.card.v1+json", file: CARDS, live: true },
    { id: "minitape:gallery", mime: "application/vnd.minitape.gallery.v1+json", file: CARDS, live: true },
    {
      id: "minitape:health",
      mime: "application/vnd.minitape.health.v1+json",
      file: "health/deliveries.js",
      live: true,
      stored: true,
    },
  ];
  /**
   * How data of one kind are shown: by a module, with the kernel's model where there is one (`live`), whose data the
   * notebook keeps as well (`stored`).
   * @typedef {{ id: string, mime: string, file: string, live?: boolean, stored?: boolean }} Kind
   */
  /** @typedef {{ data: Record<string, any>, setData: (given: { data: Record<string, unknown> }) => void }} Output */
  const PICTURE = "image/svg+xml";
  const WIDGET = "application/vnd.jupyter.widget-view+json";
  const LATER = 1000; // ms until the notebook has what a kernel has sent
  const here = /** @type {HTMLScriptElement} */ (document.currentScript).src;
  const page = /** @type {any} */ (globalThis);
  /** @type {any} */
  let shared = null;

  /** What widget.js says of this page's widgets. @type {{ managers: Set<any>, waiting: Set<() => void> }} */
  const kernels = (page[Symbol.for("minitape.kernels")] ??= { managers: new Set(), waiting: new Set() });

  /** The kernel's model of an output, where it has one. @param {string} id */
  async function modelOf(id) {
    const manager = [...kernels.managers].find((one) => one.has_model(id));
    const model = await manager?.get_model(id).catch(() => null);
    return model?.comm_live ? model : null;
  }

  /**
   * A module that JupyterLab shares with its extensions, in whatever version it has.
   * @param {string} name
   */
  const borrow = async (name) => (await Object.values(shared[name])[0].get())();

  /**
   * The static picture of an output, which stands until the player does: an image, since anybody may have written it.
   * @param {unknown} svg  a text, or a list of lines
   */
  function still(svg) {
    if (!svg) return [];
    const source = [svg]
      .flat()
      .join("")
      .replace(/\p{Surrogate}/gu, "?");
    const picture = Object.assign(document.createElement("img"), { alt: "" });
    picture.src = `data:${PICTURE},${encodeURIComponent(source)}`;
    picture.className = "minitape-still";
    return [picture];
  }

  /** @type {Map<string, any>} what was loaded, by its file */
  const loaded = new Map();
  /** @param {string} file */
  const load = async (file) => loaded.set(file, await import(new URL(file, here).href));
  const players = async () => loaded.get(SHOWN[0].file); // for a view which opens them

  async function renderers() {
    // A trace must not wait for its module: whether its cell runs is asked when it arrives. A card may.
    const [{ Widget }] = await Promise.all([borrow("@lumino/widgets"), load(SHOWN[0].file)]);

    class Shown extends Widget {
      /** @param {Kind} kind */
      constructor(kind) {
        super();
        this.addClass("minitape-output");
        this.leave = () => {};
        this.kind = kind;
        this.id = ""; // of the kernel's model that is shown
      }
      /**
       * Shows what is stored, and in its place the kernel's model as soon as there is one.
       * @param {Output} output
       */
      async renderModel(output) {
        const { file, live } = this.kind;
        if (!loaded.has(file)) await load(file);
        const id = live && output.data[WIDGET]?.model_id;
        if (id && id === this.id) return; // the model has told already
        this.put(output, null);
        if (!id) return;
        const look = async () => {
          const model = await modelOf(id);
          if (!model || !kernels.waiting.delete(look)) return;
          this.put(output, model);
          this.id = id;
        };
        const leave = this.leave;
        this.leave = () => {
          kernels.waiting.delete(look);
          leave();
        };
        kernels.waiting.add(look);
        look();
      }
      /**
       * @param {Output} output
       * @param {any} kernel
       */
      put(output, kernel) {
        const { mime, file, stored } = this.kind;
        this.leave();
        this.id = "";
        this.node.replaceChildren(...still(output.data[PICTURE]));
        const given = kernel ? kernel.get("payload") : output.data[mime];
        const close = loaded.get(file).show(this.node, given, undefined, kernel, players);
        let timer = 0;
        const store = () => {
          timer = 0;
          const { [PICTURE]: _, ...rest } = output.data; // it is that of the beginning
          output.setData({ data: { ...rest, [mime]: kernel.get("payload"), "text/plain": kernel.get("title") } });
        };
        const change = () => (timer ||= setTimeout(store, LATER));
        if (kernel && stored) kernel.on("change:payload", change);
        this.leave = () => {
          clearTimeout(timer);
          kernel?.off("change:payload", change);
          close();
        };
      }
      dispose() {
        this.leave();
        this.leave = () => {};
        super.dispose();
      }
    }
    return SHOWN.map((kind) => {
      const rendererFactory = { safe: true, mimeTypes: [kind.mime], createRenderer: () => new Shown(kind) };
      return { id: kind.id, rank: RANK, dataType: "json", rendererFactory };
    });
  }

  page._JUPYTERLAB = page._JUPYTERLAB || {};
  page._JUPYTERLAB.minitape = {
    /** @param {unknown} scope */
    init(scope) {
      shared = scope;
    },
    async get() {
      const result = await renderers();
      page._JUPYTERLAB.minitape.ready = true; // widgets look here: they are not needed any more
      return () => ({ __esModule: true, default: result });
    },
  };
})();

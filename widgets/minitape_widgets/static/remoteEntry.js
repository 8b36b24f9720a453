// @ts-check
// JupyterLab and Notebook 7 load this file when minitape is installed beside them. It tells them how to show a trace,
// so that a notebook which is opened again, without a kernel and before anything has run, shows its players and not
// an error. It is the container that JupyterLab expects of a prebuilt extension, written by hand: two functions, and
// no bundler.

(() => {
  // What shows a trace, and what shows a card of the gallery. Safe: both show text as text. A trace comes before the
  // widget's own rank (-10): a widget needs a kernel that remembers it, a trace needs nothing. A card comes after it:
  // with a kernel its programs can be changed.
  const SHOWN = [
    { id: "minitape:trace", mime: "application/vnd.minitape.trace.v1+json", file: "deliveries.js", rank: -20 },
    { id: "minitape:card", mime: "application/vnd.minitape.card.v1+json", file: "card/deliveries.js", rank: -5 },
    { id: "minitape:health", mime: "application/vnd.minitape.health.v1+json", file: "health/deliveries.js", rank: -20 },
  ];
  const PICTURE = "image/svg+xml";
  const here = /** @type {HTMLScriptElement} */ (document.currentScript).src;
  const page = /** @type {{ _JUPYTERLAB?: any }} */ (window);
  /** @type {any} */
  let shared = null;

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
      /**
       * @param {string} mime
       * @param {string} file
       */
      constructor(mime, file) {
        super();
        this.addClass("minitape-output");
        this.leave = () => {};
        this.mime = mime;
        this.file = file;
      }
      /** @param {{ data: Record<string, unknown> }} model */
      async renderModel(model) {
        if (!loaded.has(this.file)) await load(this.file);
        this.leave();
        this.node.replaceChildren(...still(model.data[PICTURE]));
        const { show } = loaded.get(this.file);
        this.leave = show(this.node, model.data[this.mime], undefined, null, players);
      }
      dispose() {
        this.leave();
        this.leave = () => {};
        super.dispose();
      }
    }
    return SHOWN.map(({ id, mime, file, rank }) => {
      const rendererFactory = { safe: true, mimeTypes: [mime], createRenderer: () => new Shown(mime, file) };
      return { id, rank, dataType: "json", rendererFactory };
    });
  }

  page._JUPYTERLAB = page._JUPYTERLAB || {};
  page._JUPYTERLAB.minitape = {
    /** @param {unknown} scope */
    init(scope) {
      shared = scope;
    },
    async get() {
      const found = await renderers();
      page._JUPYTERLAB.minitape.ready = true; // widgets look here: they are not needed any more
      return () => ({ __esModule: true, default: found });
    },
  };
})();

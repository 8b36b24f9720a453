// @ts-check
// JupyterLab and Notebook 7 load this file when minitape is installed beside them. It tells them how to show a trace,
// so that a notebook which is opened again, without a kernel and before anything has run, shows its players and not
// an error. It is the container that JupyterLab expects of a prebuilt extension, written by hand: two functions, and
// no bundler.

(() => {
  const TRACE = "application/vnd.minitape.trace.v1+json";
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

  async function renderer() {
    const { href } = new URL("deliveries.js", here);
    const [{ Widget }, player] = await Promise.all([borrow("@lumino/widgets"), import(href)]);

    class Trace extends Widget {
      constructor() {
        super();
        this.addClass("minitape-output");
        this.leave = null;
      }
      /** @param {{ data: Record<string, unknown> }} model */
      async renderModel(model) {
        if (this.leave) this.leave();
        this.node.replaceChildren(...still(model.data[PICTURE]));
        this.leave = player.show(this.node, model.data[TRACE]);
      }
      dispose() {
        if (this.leave) this.leave();
        this.leave = null;
        super.dispose();
      }
    }
    const rendererFactory = { safe: true, mimeTypes: [TRACE], createRenderer: () => new Trace() };
    // Safe: it shows text as text. Before the widget's own rank (-10): a widget needs a kernel that remembers it, a
    // trace needs nothing.
    return { id: "minitape:trace", rank: -20, dataType: "json", rendererFactory };
  }

  page._JUPYTERLAB = page._JUPYTERLAB || {};
  page._JUPYTERLAB.minitape = {
    /** @param {unknown} scope */
    init(scope) {
      shared = scope;
    },
    async get() {
      const found = await renderer();
      page._JUPYTERLAB.minitape.ready = true; // widgets look here: they are not needed any more
      return () => ({ __esModule: true, default: found });
    },
  };
})();

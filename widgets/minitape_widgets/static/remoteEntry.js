// JupyterLab and Notebook 7 load this file when minitape is installed beside them. It tells them how to show a trace, so that a
// notebook which is opened again, without a kernel and before anything has run, shows its players and not an error. It is the
// container that JupyterLab expects of a prebuilt extension, written by hand: two functions, and no bundler.

(() => {
  const here = document.currentScript.src, TRACE = "application/vnd.minitape.trace.v1+json";
  let shared = null;

  /** A module that JupyterLab shares with its extensions, in whatever version it has. */
  const borrow = async (name) => (await Object.values(shared[name])[0].get())();

  async function renderer() {
    const [{ Widget }, player] = await Promise.all([borrow("@lumino/widgets"), import(new URL("deliveries.js", here))]);

    class Trace extends Widget {
      constructor() {
        super();
        this.addClass("minitape-output");
        this.leave = null;
      }
      async renderModel(model) {
        if (this.leave) this.leave();
        this.leave = player.show(this.node, model.data[TRACE]);
      }
      dispose() {
        if (this.leave) this.leave();
        this.leave = null;
        super.dispose();
      }
    }
    // Before the widget's own rank (-10): a widget needs a kernel that remembers it, a trace needs nothing. Safe: it shows text as text.
    return { id: "minitape:trace", rank: -20, dataType: "json", rendererFactory: { safe: true, mimeTypes: [TRACE], createRenderer: () => new Trace() } };
  }

  window._JUPYTERLAB = window._JUPYTERLAB || {};
  window._JUPYTERLAB.minitape = {
    init(scope) { shared = scope; },
    async get() {
      const found = await renderer();
      window._JUPYTERLAB.minitape.ready = true;                // widgets look here: they are not needed any more
      return () => ({ __esModule: true, default: found });
    },
  };
})();

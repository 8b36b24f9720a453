// @ts-check
// The picture of what a tape costs, with a switch: as recorded, or recomputed. Python has drawn both states into one
// picture (charts/bytes.py); here bars move between them. No kernel is asked. A module of its own, which travels with
// its widget (memory.py).

/**
 * @param {{ model: { get: (name: string) => string }, el: HTMLElement }} given
 */
function render({ model, el }) {
  const host = document.createElement("div");
  const shadow = host.attachShadow({ mode: "open" });
  const style = document.createElement("style");
  style.textContent = model.get("sheet");
  const place = document.createElement("div");
  place.className = "place";
  const button = document.createElement("button");
  button.type = "button";
  button.className = "switch";
  button.setAttribute("role", "switch");
  button.textContent = model.get("word");
  const read = new DOMParser().parseFromString(model.get("svg"), "image/svg+xml");
  const picture = document.importNode(read.documentElement, true);
  place.append(button, picture);
  shadow.append(style, place);
  el.append(host);

  /** @param {boolean} on */
  function turn(on) {
    const state = on ? "then" : "now";
    button.setAttribute("aria-checked", String(on));
    for (const one of /** @type {NodeListOf<SVGElement>} */ (picture.querySelectorAll(".mc-now, .mc-then"))) {
      one.style.display = one.classList.contains("mc-" + state) ? "inline" : "none";
    }
    for (const bar of /** @type {NodeListOf<SVGElement>} */ (picture.querySelectorAll("rect[data-now]"))) {
      const [x, width] = (bar.dataset[state] || "0 0").split(" ");
      bar.style.setProperty("x", x + "px");
      bar.style.setProperty("width", width + "px");
    }
    const seen = [.../** @type {NodeListOf<SVGElement>} */ (picture.querySelectorAll("text"))].filter(
      (text) => !text.closest(state === "now" ? ".mc-then" : ".mc-now"),
    );
    say("title", seen[0]);
    say("desc", ...seen);
  }
  /**
   * What is read aloud: the texts of this state.
   * @param {string} name
   * @param {...Element} texts
   */
  function say(name, ...texts) {
    const place = picture.querySelector(name);
    if (place) place.textContent = texts.map((text) => text.textContent).join("; ");
  }

  // JupyterLab's theme counts more than the system's; the picture's own style knows the system's only.
  const own = picture.querySelector("style");
  const asked = own?.textContent || "";
  function dress() {
    const light = document.body.dataset.jpThemeLight;
    const media = light === "false" ? "@media all" : "@media not all";
    if (own && light) own.textContent = asked.replaceAll("@media (prefers-color-scheme:dark)", media);
  }
  new MutationObserver(dress).observe(document.body, { attributeFilter: ["data-jp-theme-light"] });
  dress();

  button.addEventListener("click", () => turn(button.getAttribute("aria-checked") !== "true"));
  turn(false);
}

export default { render };

// @ts-check
// Light or dark? The player asks the page that it stands on, by the colour behind it: that is right in JupyterLab
// with any theme, in an exported page, in VS Code and in Colab, and needs no list of their names.

/**
 * Relative luminance of "rgb(r, g, b)" or "rgba(r, g, b, a)"; null where it is transparent or unreadable.
 * @param {string} colour
 */
function luminance(colour) {
  const match = /rgba?\(\s*([\d.]+)[,\s]+([\d.]+)[,\s]+([\d.]+)(?:[,\s/]+([\d.]+))?/.exec(colour);
  if (!match || (match[4] !== undefined && Number(match[4]) < 0.5)) return null;
  const [r, g, b] = [1, 2, 3].map((i) => Number(match[i]) / 255);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** @param {Element} host */
function isDark(host) {
  const jupyter = document.body && document.body.dataset.jpThemeLight;
  if (jupyter === "true" || jupyter === "false") return jupyter === "false";
  /** @type {Node | null} */
  let node = host;
  while (node && node !== document) {
    if (node instanceof Element) {
      const result = luminance(getComputedStyle(node).backgroundColor);
      if (result !== null) return result < 0.4;
    }
    node = node instanceof ShadowRoot ? node.host : node.parentNode;
  }
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

const TOLD_BY = ["class", "data-jp-theme-light", "data-jp-theme-name", "theme", "style"];

/**
 * Keeps data-theme of `root` right, also when the theme is changed; returns the function that stops watching.
 * @param {Element} host
 * @param {Element} root
 */
export function watchTheme(host, root) {
  const set = () => root.setAttribute("data-theme", isDark(host) ? "dark" : "light");
  set();
  const media = matchMedia("(prefers-color-scheme: dark)");
  media.addEventListener("change", set);
  const observer = new MutationObserver(() => requestAnimationFrame(set));
  for (const node of [document.documentElement, document.body])
    if (node) observer.observe(node, { attributes: true, attributeFilter: TOLD_BY });
  const settle = setTimeout(set, 0); // a host that is not in the page yet has no background
  return () => {
    media.removeEventListener("change", set);
    observer.disconnect();
    clearTimeout(settle);
  };
}

// @ts-check
// What stands out: the list of findings, in which one is lit.

import { assign, make, prose } from "../elements/dom.js";

/** @import { Finding, Health } from "health" */
/** @import { Words } from "./words.js" */

/** @param {(found: Finding) => void} light  called when the learner has chosen one */
export function mountFindings(light) {
  const heading = make("p", { class: "health-heading" });
  const list = make("ol", { class: "health-findings" });
  let told = "";
  /** @type {Finding[]} those in the list: an update that says the same brings them as other objects */
  let listed = [];

  /** @param {Finding} finding */
  const item = (finding) =>
    make(
      "li",
      {},
      make(
        "button",
        { type: "button", class: "health-finding", on: { click: () => light(finding) } },
        make("span", { class: "health-said" }, prose(finding.text)),
        " ",
        make("span", { class: "fine", text: `(${finding.about})` }),
      ),
      make("p", { class: "health-cure" }, prose(finding.cure)),
    );

  /**
   * Tells them; returns which one is lit, of those in the list.
   * @param {Health} data
   * @param {Words} words
   * @param {Finding | null} lit
   */
  function update({ findings, ended, steps }, words, lit) {
    const now = JSON.stringify([findings, ended]);
    if (now !== told) {
      told = now;
      listed = findings;
      heading.textContent = words.say("findings");
      const fine = make("li", { class: "health-fine", text: words.say(ended ? "fine" : "so.far") });
      list.replaceChildren(...(findings.length ? findings.map(item) : [fine]));
    }
    heading.hidden = list.hidden = !steps;
    const known = listed.find((one) => one === lit) ?? listed.find((one) => one.text === lit?.text) ?? null;
    list.querySelectorAll("button").forEach((button, k) => {
      assign(button, "aria-pressed", String(listed[k] === known));
    });
    return known;
  }

  return { heading, list, update };
}

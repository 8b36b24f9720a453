// @ts-check
// The gallery's own style sheet: read from its neighbour here, put in by Python where one text must carry everything
// (module.py).

export const STYLE = await (await fetch(new URL("card.css", import.meta.url))).text();

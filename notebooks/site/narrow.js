// In the lab's page: in a narrow window the notebook has the room, and the list of files opens by its button. JupyterLab opens
// the list itself as well, with the lesson; from the first click on, it is the learner's.
if (matchMedia("(max-width: 50rem)").matches) {
  let untouched = true;
  for (const what of ["pointerdown", "keydown"]) addEventListener(what, () => (untouched = false), { capture: true });
  while (!window.jupyterapp) await new Promise(requestAnimationFrame);
  const { shell } = window.jupyterapp;
  shell.layoutModified.connect(() => untouched && !shell.leftCollapsed && shell.collapseLeft());
}

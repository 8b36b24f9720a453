// @ts-check
// What moves when one steps on: a number runs from where it was to where it is wanted, and what it causes appears
// when it arrives. The page is always drawn first as it is after the act; motion only holds back, for a moment, what
// has not happened yet. So ending it at any time leaves the true picture, and no moment depends on another.

/** @typedef {ReturnType<typeof motionOf>} Motion */

export const FADE = 60; // milliseconds; with it no act takes longer than 600

/**
 * The motion of one player.
 * @param {() => boolean} wanted  false on a jump, and where the learner wants no motion
 */
export function motionOf(wanted) {
  /** @type {Animation[]} */
  let running = [];
  /** @type {Animation | null} */
  let waiting = null;

  /**
   * @type {(element: Element, frames: Keyframe[], from: number, to: number, more?: KeyframeEffectOptions) => Animation}
   */
  function run(element, frames, from, to, more) {
    const one = element.animate(frames, { delay: from, duration: to - from, ...more });
    running.push(one);
    return one;
  }

  return {
    wanted,

    /** Whether another act moves after this one. */
    waits: () => waiting !== null,

    /**
     * What happens after so many milliseconds, if nothing stops it.
     * @type {(element: Element, time: number, next: () => void) => void}
     */
    after(element, time, next) {
      const one = (waiting = run(element, [], 0, time));
      one.finished.then(
        () => waiting === one && next(),
        () => {},
      );
    },

    /** The true picture at once. */
    stop() {
      waiting = null;
      for (const one of running) one.cancel();
      running = [];
    },

    /**
     * Holds an element back until what causes it is there.
     * @type {(element: Element | null | undefined, at: number) => void}
     */
    appear(element, at) {
      if (element) run(element, [{ opacity: 0 }, { opacity: 1 }], at, at + FADE, { fill: "backwards" });
    },

    /**
     * The same for what takes the place of a number that has run there: at once, so that nothing flickers.
     * @type {(element: Element | null | undefined, at: number) => void}
     */
    replace(element, at) {
      if (element) run(element, [{ opacity: 0 }, { opacity: 0 }], 0, at);
    },

    /**
     * A picture that is seen only while it runs along these points, and is taken away afterwards: at once, or slowly.
     * @type {(ghost: SVGElement, points: Point[], times: Times, easing?: string) => void}
     */
    travel(ghost, points, [from, to, gone = to], easing = "linear") {
      ghost.style.opacity = "0";
      const frames = along(points);
      const { transform } = frames[frames.length - 1];
      const remove = () => ghost.remove();
      let last = run(ghost, frames, from, to, { easing });
      const stays = Math.max(0, 1 - FADE / 2 / (gone - to));
      const fades = [0, stays, 1].map((offset) => ({ offset, opacity: Number(offset < 1), transform }));
      if (gone > to) last = run(ghost, fades, to, gone);
      last.finished.then(remove, remove);
    },
  };
}

/**
 * The same as it stands at one time, for paper.
 * @type {(time: number) => Motion}
 */
export function frozenAt(time) {
  /** @type {Motion["appear"]} */
  const waits = (element, at) => {
    if (element && time < at) element.setAttribute("opacity", "0");
  };
  return {
    wanted: () => true,
    waits: () => false,
    after() {},
    stop() {},
    appear: waits,
    replace: waits,
    travel(ghost, points, [from, to, gone = to]) {
      if (time < from || time >= gone) return ghost.remove();
      const done = Math.min(1, (time - from) / (to - from));
      const places = along(points);
      const next = Math.max(
        1,
        places.findIndex(({ offset }) => offset >= done),
      );
      const [a, b] = [points[next - 1] ?? points[0], points[next] ?? points[0]];
      const [off, end] = [places[next - 1].offset, places[next].offset];
      const share = end > off ? (done - off) / (end - off) : 1;
      ghost.setAttribute("transform", `translate(${a.x + share * (b.x - a.x)} ${a.y + share * (b.y - a.y)})`);
    },
  };
}

/** @typedef {{ x: number, y: number }} Point */
/** @typedef {[from: number, to: number, gone?: number]} Times */

/**
 * Keyframes that pass through these points at an even speed.
 * @param {Point[]} points
 */
export function along(points) {
  const places = points.length > 1 ? points : [points[0], points[0]];
  const steps = places.map(({ x, y }, i) => (i ? Math.hypot(x - places[i - 1].x, y - places[i - 1].y) : 0));
  const whole = steps.reduce((sum, step) => sum + step, 0);
  let done = 0;
  return places.map(({ x, y }, i) => {
    done += steps[i];
    const offset = whole ? Math.min(1, done / whole) : i / (places.length - 1);
    return { offset, opacity: 1, transform: `translate(${x.toFixed(2)}px, ${y.toFixed(2)}px)` };
  });
}

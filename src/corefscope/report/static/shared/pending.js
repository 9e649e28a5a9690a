/**
 * What the page has begun and not yet finished: drawing a view, drawing what scrolled into sight, noting a place.
 * The root says how much that is, and says nothing when all is done: whoever drives the page by a script, as the
 * tests do, waits for that instead of guessing how long it takes.
 */

let pendingCount = 0;

/** @param {number} by */
function pendingChange(by) {
  pendingCount += by;
  const { dataset } = document.documentElement;
  if (pendingCount) dataset.pending = String(pendingCount);
  else delete dataset.pending;
}

/** Say that something has begun; call what is returned when it has ended. */
export function pendingBegin() {
  pendingChange(1);
  let isOpen = true;
  return () => {
    if (isOpen) pendingChange(-1);
    isOpen = false;
  };
}

/** Do something that takes a while. @param {() => Promise<void>} work */
export async function pendingWhile(work) {
  const end = pendingBegin();
  try {
    await work();
  } finally {
    end();
  }
}

/** Do something before the next frame is drawn. @param {() => void} work */
export function pendingFrame(work) {
  const end = pendingBegin();
  requestAnimationFrame(() => {
    try {
      work();
    } finally {
      end();
    }
  });
}

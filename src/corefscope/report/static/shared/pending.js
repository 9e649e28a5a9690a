/**
 * Unfinished work of the page, such as drawing a view or updating the address. The root element has its count, and no
 * such attribute when all is done, so that tests can wait for it instead of guessing how long it takes.
 */

let pendingCount = 0;

/** @param {number} by */
function pendingChange(by) {
  pendingCount += by;
  const { dataset } = document.documentElement;
  if (pendingCount) dataset.pending = String(pendingCount);
  else delete dataset.pending;
}

/** Start a piece of work; return the function to call when it is done. */
export function pendingBegin() {
  pendingChange(1);
  let isOpen = true;
  return () => {
    if (isOpen) pendingChange(-1);
    isOpen = false;
  };
}

/** Run asynchronous work. @param {() => Promise<void>} work */
export async function pendingWhile(work) {
  const end = pendingBegin();
  try {
    await work();
  } finally {
    end();
  }
}

/** Run work before the next frame is drawn. @param {() => void} work */
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

/** What every page has: light and dark colours, and a message if something fails. */
import { h } from "./dom.js";

/** A button that switches between light and dark colours. */
export function themeButton() {
  return h("button.theme", {
    id: "theme", onclick: switchTheme, title: "Light or dark", "aria-label": "Light or dark",
  }, "◐");
}

function switchTheme() {
  const root = document.documentElement;
  const isDark = root.dataset.theme
    ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
}

/** Run a function; return an error message to show if it fails, for example because a document is missing. @param {() => unknown} work */
export async function failureOf(work) {
  try {
    await work();
    return null;
  } catch (error) {
    console.error(error);
    return h("p", { role: "alert" }, error instanceof Error ? error.message : String(error));
  }
}

/** The page of a history: the scores of checkpoints, one after the other. */
import { fill, h, visible } from "./shared/dom.js";
import { failureOf, themeButton } from "./shared/frame.js";
import { onChange, readAddress } from "./shared/state.js";
import { historyPage } from "./shared/store.js";
import { render } from "./history/view.js";

async function start() {
  const app = /** @type {HTMLElement} */ (document.getElementById("app"));
  const failure = await failureOf(async () => {
    const page = await historyPage();
    const view = h("main.view", { id: "view", tabindex: "-1", "aria-label": "History" });
    document.title = visible(page.title);
    fill(app,
      h("header.bar", { role: "banner" }, h("h1.title.history-title", { title: page.title }, page.title),
        h("div.switches", {}, themeButton())),
      view, h("p.status", { id: "status", role: "status" }));
    const draw = () => {
      render(view, page);
      view.dataset.ready = "history";
    };
    onChange(draw);
    window.addEventListener("popstate", readAddress);
    window.addEventListener("resize", draw);
    readAddress();
  });
  if (failure) fill(app, failure);
}

start();

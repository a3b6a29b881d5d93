import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "#app/app.tsx";
import { fetchAhead } from "#app/parts.ts";
import { startSession } from "#app/start-session.ts";
import { setUpCalls, tokenStore } from "#client/call.ts";
import { currentAppearance, startDisplay } from "#client/display.ts";
import { modeOf } from "#client/kept-display.ts";
import { endSession } from "#client/session-state.ts";
import { loadConfig } from "#client/start-config.ts";
import { paintRoot } from "#ui/tokens.ts";
import "#ui/frame.css";
import "#ui/ui.css";

const start = async (root: HTMLElement): Promise<void> => {
  // With a token the shell will be needed: it travels beside the calls and not after them.
  if (tokenStore().read() !== null) fetchAhead();
  // Until the session is there the page shows what is in it from the beginning (early.ts).
  const [{ baseUrl }] = await Promise.all([loadConfig(), startDisplay()]);
  const { display, fill } = currentAppearance();
  paintRoot(document.documentElement, modeOf(display), fill);
  setUpCalls({ baseUrl, onSessionEnd: endSession });
  const lost = await startSession().then(
    () => null,
    (error: unknown) => ({ error }),
  );
  createRoot(root).render(
    <StrictMode>
      <App lost={lost} />
    </StrictMode>,
  );
};

const root = document.getElementById("root");
// Not awaited: the parts that it fetches import this file, and would wait for its end.
if (root) void start(root);

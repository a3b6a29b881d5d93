import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "#app/app.tsx";
import { fetchAhead } from "#app/parts.ts";
import { startSession } from "#app/start-session.ts";
import { setUpCalls, tokenStore } from "#kernel/call.ts";
import { currentLook, modeOf, startDisplay } from "#kernel/display.ts";
import { endSession, setMenuUrl } from "#kernel/session-state.ts";
import { loadConfig } from "#kernel/start-config.ts";
import { paintRoot } from "#ui/tokens.ts";
import "#ui/ui.css";

const start = async (root: HTMLElement): Promise<void> => {
  // With a token the shell will be needed: it travels beside the calls and not after them.
  if (tokenStore().read() !== null) fetchAhead();
  await startDisplay();
  const { display, fill } = currentLook();
  paintRoot(document.documentElement, modeOf(display), fill);
  const { baseUrl, menuUrl } = await loadConfig();
  setUpCalls({ baseUrl, onSessionEnd: endSession });
  setMenuUrl(menuUrl);
  await startSession();
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
};

const root = document.getElementById("root");
if (root) await start(root);

import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "#app/app.tsx";
import { startSession } from "#app/start-session.ts";
import { setUpCalls } from "#kernel/call.ts";
import { currentLook, modeOf, startDisplay } from "#kernel/display.ts";
import { forgetSearches } from "#kernel/paths.ts";
import { createQueryClient } from "#kernel/query.ts";
import { endSession, onSessionEnd, setMenuUrl } from "#kernel/session-state.ts";
import { loadConfig } from "#kernel/start-config.ts";
import { paintRoot } from "#ui/tokens.ts";
import "#ui/ui.css";

const start = async (root: HTMLElement): Promise<void> => {
  await startDisplay();
  const { display, fill } = currentLook();
  paintRoot(document.documentElement, modeOf(display), fill);
  const client = createQueryClient();
  const { baseUrl, menuUrl } = await loadConfig();
  setUpCalls({ baseUrl, onSessionEnd: endSession });
  setMenuUrl(menuUrl);
  onSessionEnd(() => client.clear());
  onSessionEnd(forgetSearches);
  await startSession();
  createRoot(root).render(
    <StrictMode>
      <App client={client} />
    </StrictMode>,
  );
};

const root = document.getElementById("root");
if (root) await start(root);

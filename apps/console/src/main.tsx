import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "#app/app.tsx";
import { setUpCalls, tokenStore } from "#kernel/call.ts";
import { currentLook, modeOf, startDisplay } from "#kernel/display.ts";
import { forgetSearches } from "#kernel/paths.ts";
import { createQueryClient } from "#kernel/query.ts";
import { endSession, loadSession, onSessionEnd } from "#kernel/session-state.ts";
import { paintRoot } from "#ui/tokens.ts";
import "#ui/ui.css";

/** Where the calls are (specification section 7.1); the same origin when nothing says otherwise. */
const readBaseUrl = async (): Promise<string> => {
  try {
    const response = await fetch("/config.json", { cache: "no-store" });
    const config = (await response.json()) as { BASE_URL?: unknown };
    return typeof config.BASE_URL === "string" ? config.BASE_URL.replace(/\/+$/, "") : "";
  } catch {
    return "";
  }
};

const start = async (root: HTMLElement): Promise<void> => {
  await startDisplay();
  const { display, fill } = currentLook();
  paintRoot(document.documentElement, modeOf(display), fill);
  const client = createQueryClient();
  setUpCalls({ baseUrl: await readBaseUrl(), onSessionEnd: endSession });
  onSessionEnd(() => client.clear());
  onSessionEnd(forgetSearches);
  // A failure has ended the session, and the guard shows the log-in.
  if (tokenStore().read() !== null) await loadSession().catch(() => undefined);
  createRoot(root).render(
    <StrictMode>
      <App client={client} />
    </StrictMode>,
  );
};

const root = document.getElementById("root");
if (root) await start(root);

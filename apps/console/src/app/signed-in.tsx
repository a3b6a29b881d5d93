import { DemonstrationTag } from "#features/demonstration/demonstration-tag.tsx";
import { ChangePassword } from "#features/session/change-password.tsx";
import { FactorGate } from "#features/session/factor-gate.tsx";
import { LiveState } from "#kernel/live-state.tsx";
import { endSession, loadSession, useSessionState } from "#kernel/session-state.ts";
import { Shell } from "#shell/shell.tsx";
import { Look } from "./look.tsx";
import { rootPath } from "./menu-routes.ts";

/** Everything of a session: the shell around its screens. */
export function SignedIn() {
  const session = useSessionState();
  // Between the end of a session and the log-in there is nothing to draw.
  if (!session) return null;
  return (
    <Look>
      {session.mustAddFactor ? (
        <FactorGate onDone={loadSession} onLeave={endSession} />
      ) : (
        <Shell
          home={rootPath(session.menus) ?? "/"}
          ChangePassword={ChangePassword}
          notice={
            <>
              <LiveState />
              <DemonstrationTag />
            </>
          }
        />
      )}
    </Look>
  );
}

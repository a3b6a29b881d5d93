import type { ComponentProps } from "react";
import { loadSession } from "#client/load-session.ts";
import { endSession, useSessionState } from "#client/session-state.ts";
import { useTexts } from "#client/texts.ts";
import { DemonstrationTag } from "#domains/access/demonstration/demonstration-tag.tsx";
import { later, OpenedLater } from "#feedback/later.tsx";
import { ListFilesContext } from "#feedback/list-files.ts";
import { ListFiles } from "#parts/import/list-files.tsx";
import { useIsStale, useLiveEvents } from "#parts/live.ts";
import { Shell } from "#shell/shell.tsx";
import { Appearance } from "./appearance.tsx";
import { rootPath } from "./menu-routes.ts";

/** Keeps the stream of events, and says when there is none: then screens are some seconds behind. */
function LiveState() {
  const t = useTexts();
  useLiveEvents();
  const isStale = useIsStale();
  if (!isStale) return null;
  return (
    <span className="w-quiet w-state" role="status" title={t("live.offWhat")}>
      ○ {t("live.off")}
    </span>
  );
}

// None is seen by most who log in: the shell does not wait for their forms and their QR code.
const PasswordDialog = later(
  async () => (await import("#domains/access/session/change-password.tsx")).ChangePassword,
);
const FactorGate = later(
  async () => (await import("#domains/access/session/factor-gate.tsx")).FactorGate,
);

const VisitTag = later(
  async () => (await import("#domains/templates/router-template/visit-tag.tsx")).VisitTag,
);

function ChangePassword(props: ComponentProps<typeof PasswordDialog>) {
  return (
    <OpenedLater open={props.open} onClose={props.onClose}>
      <PasswordDialog {...props} />
    </OpenedLater>
  );
}

/** Everything of a session: the shell around its screens. */
export function SignedIn() {
  const session = useSessionState();
  // Between the end of a session and the login there is nothing to render.
  if (!session) return null;
  return (
    <Appearance>
      {session.mustAddFactor ? (
        <FactorGate onDone={loadSession} onLeave={endSession} />
      ) : (
        <ListFilesContext value={ListFiles}>
          <Shell
            home={rootPath(session.menus) ?? "/"}
            ChangePassword={ChangePassword}
            notice={
              session.visitEndTime ? (
                <VisitTag until={session.visitEndTime} />
              ) : (
                <>
                  <LiveState />
                  <DemonstrationTag />
                </>
              )
            }
          />
        </ListFilesContext>
      )}
    </Appearance>
  );
}

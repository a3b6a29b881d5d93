import AntApp from "antd/es/app";
import ConfigProvider from "antd/es/config-provider";
import enGB from "antd/es/locale/en_GB";
import zhCN from "antd/es/locale/zh_CN";
import dayjs from "dayjs";
import "dayjs/locale/en-gb";
import "dayjs/locale/zh-cn";
import { useMemo } from "react";
import { DemonstrationTag } from "#features/demonstration/demonstration-tag.tsx";
import { ChangePassword } from "#features/session/change-password.tsx";
import { FactorGate } from "#features/session/factor-gate.tsx";
import { modeOf, useLook } from "#kernel/display.ts";
import { ConfirmProvider } from "#kernel/feedback/confirm.tsx";
import { useCurrentLanguage } from "#kernel/language.ts";
import { LiveState } from "#kernel/live-state.tsx";
import { endSession, loadSession, useSessionState } from "#kernel/session-state.ts";
import { Shell } from "#shell/shell.tsx";
import { useStill } from "#ui/use-still.ts";
import { homePath } from "./menu-routes.ts";
import { libraryTheme } from "./theme.ts";
import "#kernel/kernel.css";

const button = { autoInsertSpace: false };

/** Everything of a session: the component library's look and language, dialogs, the shell. */
export function SignedIn() {
  const { display, fill } = useLook();
  const language = useCurrentLanguage();
  const session = useSessionState();
  const mode = modeOf(display);
  const isStill = useStill();
  const look = useMemo(() => libraryTheme(mode, fill, isStill), [mode, fill, isStill]);
  const isChinese = language === "zh_cn";
  dayjs.locale(isChinese ? "zh-cn" : "en-gb");
  // Between the end of a session and the log-in there is nothing to draw.
  if (!session) return null;
  return (
    <ConfigProvider locale={isChinese ? zhCN : enGB} theme={look} button={button}>
      <AntApp component={false}>
        <ConfirmProvider>
          {session.mustAddFactor ? (
            <FactorGate onDone={loadSession} onLeave={endSession} />
          ) : (
            <Shell
              home={homePath(session.menus) ?? "/"}
              ChangePassword={ChangePassword}
              notice={
                <>
                  <LiveState />
                  <DemonstrationTag />
                </>
              }
            />
          )}
        </ConfirmProvider>
      </AntApp>
    </ConfigProvider>
  );
}

import LoadingOutlined from "@ant-design/icons/es/icons/LoadingOutlined";
import ConfigProvider from "antd/es/config-provider";
import enGB from "antd/es/locale/en_GB";
import zhCN from "antd/es/locale/zh_CN";
import { type ReactNode, useEffect, useMemo, useSyncExternalStore } from "react";
import { Outlet } from "react-router";
import { useAppearance } from "#client/display.ts";
import { modeOf } from "#client/kept-display.ts";
import { useCurrentLanguage } from "#client/language.ts";
import { ConfirmProvider } from "#feedback/confirm.tsx";
import { ToastProvider } from "#feedback/toast.tsx";
import { keepFocus } from "#ui/overlay/focus-trail.ts";
import { libraryTheme } from "./theme.ts";
import "#kernel/kernel.css";

const motionQuery = (): MediaQueryList => matchMedia("(prefers-reduced-motion: reduce)");

const onMotionChange = (listener: () => void): (() => void) => {
  const query = motionQuery();
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
};

/** True while the person asks for reduced motion (Media Queries Level 5, section 12.1). */
const useStill = (): boolean =>
  useSyncExternalStore(
    onMotionChange,
    () => motionQuery().matches,
    () => false,
  );

// Without an icon of its own the library grows one in with a motion whose end may never be signalled:
// a button that was busy for a moment then stays marked as loading.
const button = { autoInsertSpace: false, loadingIcon: <LoadingOutlined /> };

/** The component library's theme and language, toasts and dialogs, around a page or its routes. */
export function Appearance({ children = <Outlet /> }: { readonly children?: ReactNode }) {
  const { display, fill } = useAppearance();
  const language = useCurrentLanguage();
  const mode = modeOf(display);
  const isStill = useStill();
  useEffect(keepFocus, []);
  const library = useMemo(() => libraryTheme(mode, fill, isStill), [mode, fill, isStill]);
  const isChinese = language === "zh_cn";
  return (
    <ConfigProvider locale={isChinese ? zhCN : enGB} theme={library} button={button}>
      <ToastProvider>
        <ConfirmProvider>{children}</ConfirmProvider>
      </ToastProvider>
    </ConfigProvider>
  );
}

import DesktopOutlined from "@ant-design/icons/es/icons/DesktopOutlined";
import DownloadOutlined from "@ant-design/icons/es/icons/DownloadOutlined";
import FullscreenExitOutlined from "@ant-design/icons/es/icons/FullscreenExitOutlined";
import FullscreenOutlined from "@ant-design/icons/es/icons/FullscreenOutlined";
import MenuFoldOutlined from "@ant-design/icons/es/icons/MenuFoldOutlined";
import MenuOutlined from "@ant-design/icons/es/icons/MenuOutlined";
import MenuUnfoldOutlined from "@ant-design/icons/es/icons/MenuUnfoldOutlined";
import SettingOutlined from "@ant-design/icons/es/icons/SettingOutlined";
import { lazy, type ReactNode, useState, useSyncExternalStore } from "react";
import { useDisplay } from "#client/display.ts";
import { headStyles } from "#client/kept-display.ts";
import { chooseLanguage } from "#client/language.ts";
import { paths } from "#client/paths.ts";
import { May, useVisitEnd } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import { useToast } from "#feedback/toast.tsx";
import { OpenedLater } from "#ui/opened-later.tsx";
import { AlarmButton } from "./alarm-button.tsx";
import { Breadcrumb } from "./breadcrumb.tsx";
import { HeadMenu } from "./head-menu.tsx";
import type { ShellLayout } from "./layout.ts";
import { Logo } from "./logo.tsx";
import { shellMessages } from "./messages.ts";
import { NoticeBell } from "./notice-bell.tsx";
import { PaletteButton } from "./palette-button.tsx";
import { UserMenu } from "./user-menu.tsx";

interface IconButtonProps {
  readonly label: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** A tool of the header: an icon with a name. */
function IconButton({ label, onClick, children }: IconButtonProps) {
  return (
    <button
      type="button"
      className="w-icon-button"
      aria-label={label}
      title={label}
      onClick={onClick}
    >
      {children}
    </button>
  );
}

const SettingsDrawer = lazy(() =>
  import("./settings-drawer.tsx").then((module) => ({ default: module.SettingsDrawer })),
);

interface Props {
  readonly layout: ShellLayout;
  readonly onEditPassword: () => void;
  /** Shown before the tools. */
  readonly notice: ReactNode;
}

/** Opens beside the console, which stays where it is. */
const openWindow = (path: string): void => {
  window.open(path, "_blank", "noopener");
};

/** The header above every page. */
export function Header({ layout, onEditPassword, notice }: Props) {
  const t = useTexts(shellMessages);
  const { headStyle, darkMode } = useDisplay();
  // Search, notices and the account are the person's, not the visitor's.
  const isVisit = useVisitEnd() !== null;
  const { kind, isOverlay } = layout;
  const headTheme = darkMode && headStyle === 0 ? "dark-mode" : headStyles[headStyle];
  return (
    <header className="w-header" data-head={headTheme}>
      {kind !== "side" && <Logo />}
      {kind !== "top" && <FoldButton layout={layout} />}
      {kind === "side" ? (
        <Breadcrumb />
      ) : (
        <HeadMenu kind={kind} isDark={headStyle !== 0 || darkMode} />
      )}
      {/* An element of its own: the tools stay where they are when the notice comes. */}
      <div className="w-header-notice">{notice}</div>
      <div className="w-header-tools">
        {!isVisit && <PaletteButton />}
        {!isVisit && (
          <IconButton label={t("shell.download")} onClick={() => openWindow("/download.html")}>
            <DownloadOutlined />
          </IconButton>
        )}
        {!isVisit && <AlarmButton />}
        {!isVisit && <NoticeBell />}
        <span className="w-full-screen">
          <FullScreenButton />
        </span>
        {!isOverlay && (
          <May code="screenView">
            <IconButton label={t("shell.screen")} onClick={() => openWindow(paths.screen())}>
              <DesktopOutlined />
            </IconButton>
          </May>
        )}
        {!isVisit && <UserMenu onEditPassword={onEditPassword} />}
        <LanguageButton />
        <SettingsButton />
      </div>
    </header>
  );
}

function FoldButton({ layout: { isFolded, isOverlay, toggle } }: { readonly layout: ShellLayout }) {
  const t = useTexts(shellMessages);
  const fold = isFolded ? <MenuUnfoldOutlined /> : <MenuFoldOutlined />;
  return (
    <IconButton
      label={t(isFolded || isOverlay ? "shell.expand" : "shell.collapse")}
      onClick={toggle}
    >
      {isOverlay ? <MenuOutlined /> : fold}
    </IconButton>
  );
}

const onFullScreen = (listener: () => void): (() => void) => {
  document.addEventListener("fullscreenchange", listener);
  return () => document.removeEventListener("fullscreenchange", listener);
};

function FullScreenButton() {
  const t = useTexts(shellMessages);
  const toast = useToast();
  // Escape ends it as well: the document knows, not this button.
  const isFull = useSyncExternalStore(onFullScreen, () => document.fullscreenElement !== null);
  const toggle = async (): Promise<void> => {
    if (!document.fullscreenEnabled) return toast.hint(t("shell.noFullScreen"));
    await (isFull ? document.exitFullscreen() : document.documentElement.requestFullscreen());
  };
  return (
    <IconButton
      label={t(isFull ? "shell.fullScreenEnd" : "shell.fullScreen")}
      onClick={() => void toggle().catch(() => toast.hint(t("shell.noFullScreen")))}
    >
      {isFull ? <FullscreenExitOutlined /> : <FullscreenOutlined />}
    </IconButton>
  );
}

function LanguageButton() {
  const t = useTexts(shellMessages);
  const isChinese = t.language === "zh_cn";
  return (
    <IconButton
      label={t("shell.language")}
      onClick={() => chooseLanguage(isChinese ? "en_gb" : "zh_cn")}
    >
      <span lang={isChinese ? "en-GB" : "zh-CN"}>{isChinese ? "EN" : "中"}</span>
    </IconButton>
  );
}

function SettingsButton() {
  const t = useTexts(shellMessages);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton label={t("shell.settings")} onClick={() => setOpen(true)}>
        <SettingOutlined />
      </IconButton>
      <OpenedLater open={isOpen}>
        <SettingsDrawer open={isOpen} onClose={() => setOpen(false)} />
      </OpenedLater>
    </>
  );
}

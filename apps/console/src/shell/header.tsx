import AlertOutlined from "@ant-design/icons/es/icons/AlertOutlined";
import DesktopOutlined from "@ant-design/icons/es/icons/DesktopOutlined";
import DownloadOutlined from "@ant-design/icons/es/icons/DownloadOutlined";
import DownOutlined from "@ant-design/icons/es/icons/DownOutlined";
import FullscreenExitOutlined from "@ant-design/icons/es/icons/FullscreenExitOutlined";
import FullscreenOutlined from "@ant-design/icons/es/icons/FullscreenOutlined";
import MenuFoldOutlined from "@ant-design/icons/es/icons/MenuFoldOutlined";
import MenuOutlined from "@ant-design/icons/es/icons/MenuOutlined";
import MenuUnfoldOutlined from "@ant-design/icons/es/icons/MenuUnfoldOutlined";
import SettingOutlined from "@ant-design/icons/es/icons/SettingOutlined";
import UserOutlined from "@ant-design/icons/es/icons/UserOutlined";
import Badge from "antd/es/badge/Badge";
import Dropdown from "antd/es/dropdown/dropdown";
import Menu from "antd/es/menu";
import { type ReactNode, useMemo, useState, useSyncExternalStore } from "react";
import { Link, useLocation } from "react-router";
import { useDisplay } from "#client/display.ts";
import { headStyles } from "#client/kept-display.ts";
import { chooseLanguage } from "#client/language.ts";
import { paths, withSearch } from "#client/paths.ts";
import { May, useSession, useVisitEnd } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import { later, OpenedLater } from "#feedback/later.tsx";
import { useToast } from "#feedback/toast.tsx";
import { useNarrow } from "#ui/use-narrow.ts";
import { useAlarmCounts } from "./alarm-counts.ts";
import { Breadcrumb } from "./breadcrumb.tsx";
import type { ShellLayout } from "./layout.ts";
import { Logo } from "./logo.tsx";
import { countText, firstLevelItems, itemsOf } from "./menu-items.tsx";
import { firstLevelAt, markedAt, shownMenus } from "./menu-tree.ts";
import { shellMessages } from "./messages.ts";
import { NoticeBell } from "./notice-bell.tsx";
import { PaletteButton } from "./palette-button.tsx";
import { useLogOut } from "./use-logout.ts";

interface HeadMenuProps {
  /** top: the whole menu; mix: its first level. */
  readonly kind: "top" | "mix";
  readonly isDark: boolean;
}

/** The menu in the header; what has no room goes under "more". */
function HeadMenu({ kind, isDark }: HeadMenuProps) {
  const t = useTexts(shellMessages);
  const { menus } = useSession();
  const { pathname } = useLocation();
  const nodes = shownMenus(menus);
  const make = kind === "top" ? itemsOf : firstLevelItems;
  const items = useMemo(() => make(nodes, t.language), [make, nodes, t.language]);
  const marked =
    kind === "top" ? markedAt(nodes, pathname) : (firstLevelAt(nodes, pathname)?.path ?? null);
  return (
    <nav aria-label={t("shell.menu")} className="w-head-menu">
      <Menu
        mode="horizontal"
        theme={isDark ? "dark" : "light"}
        items={items}
        selectedKeys={marked === null ? [] : [marked]}
      />
    </nav>
  );
}

/** Who is logged in, with exactly two entries: change the password, log out (section 2.5). */
function UserMenu({ onEditPassword }: { readonly onEditPassword: () => void }) {
  const t = useTexts(shellMessages);
  const { loginName } = useSession();
  const logOut = useLogOut();
  return (
    <Dropdown
      trigger={["click"]}
      placement="bottomRight"
      menu={{
        items: [
          { key: "password", label: t("shell.editPassword"), onClick: onEditPassword },
          { type: "divider" },
          { key: "out", label: t("shell.logOut"), onClick: () => void logOut() },
        ],
      }}
    >
      <button type="button" className="w-user" aria-label={t("shell.user", { name: loginName })}>
        <UserOutlined />
        <span className="w-cut">{loginName}</span>
        <DownOutlined className="w-user-arrow" />
      </button>
    </Dropdown>
  );
}

/** The tool of the header that counts alarms which no one has acknowledged, and leads to them. */
function AlarmButton() {
  const t = useTexts(shellMessages);
  const counts = useAlarmCounts();
  const isNarrow = useNarrow();
  if (!counts) return null;
  const { waiting, levels } = counts;
  const label =
    waiting === 0
      ? t("shell.alarmsNone")
      : t("shell.alarms", {
          // Who uses voice control says what is seen (WCAG 2.5.3).
          count: countText(waiting),
          counts: t.list(
            levels.map((level) => `${t.code("alarmLevel", level.level)} ${level.waiting}`),
          ),
        });
  return (
    <Link
      className="w-icon-button"
      aria-label={label}
      title={label}
      to={withSearch(paths.alarms(), { handled: 0 })}
    >
      {isNarrow ? (
        <Badge dot={waiting > 0}>
          <AlertOutlined />
        </Badge>
      ) : (
        <>
          <AlertOutlined />
          {waiting > 0 && <span className="w-alarm-count">{countText(waiting)}</span>}
        </>
      )}
    </Link>
  );
}

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

const SettingsDrawer = later(async () => (await import("./settings-drawer.tsx")).SettingsDrawer);

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
      <OpenedLater open={isOpen} onClose={() => setOpen(false)}>
        <SettingsDrawer open={isOpen} onClose={() => setOpen(false)} />
      </OpenedLater>
    </>
  );
}

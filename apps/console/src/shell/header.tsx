import DownOutlined from "@ant-design/icons/es/icons/DownOutlined";
import FullscreenOutlined from "@ant-design/icons/es/icons/FullscreenOutlined";
import HomeOutlined from "@ant-design/icons/es/icons/HomeOutlined";
import MenuFoldOutlined from "@ant-design/icons/es/icons/MenuFoldOutlined";
import MenuOutlined from "@ant-design/icons/es/icons/MenuOutlined";
import MenuUnfoldOutlined from "@ant-design/icons/es/icons/MenuUnfoldOutlined";
import MoonOutlined from "@ant-design/icons/es/icons/MoonOutlined";
import SunOutlined from "@ant-design/icons/es/icons/SunOutlined";
import UserOutlined from "@ant-design/icons/es/icons/UserOutlined";
import { logout } from "@weft/contract/calls/session.ts";
import Dropdown from "antd/es/dropdown";
import type { ReactNode } from "react";
import { Link, useLocation } from "react-router";
import { call } from "#kernel/call.ts";
import { changeDisplay, useDisplay } from "#kernel/display.ts";
import { useConfirm } from "#kernel/feedback/confirm.tsx";
import { useToast } from "#kernel/feedback/toast.tsx";
import { chooseLanguage } from "#kernel/language.ts";
import { useSession } from "#kernel/session.tsx";
import { endSession } from "#kernel/session-state.ts";
import { useTexts } from "#kernel/texts.ts";
import { titleOf, wayTo } from "./menu-tree.ts";
import { shellMessages } from "./messages.ts";

interface Props {
  readonly isFolded: boolean;
  readonly isOverlay: boolean;
  readonly onMenu: () => void;
  readonly onEditPassword: () => void;
  /** Stands before the tools. */
  readonly notice: ReactNode;
}

/** What stands above every page. */
export function Header({ isFolded, isOverlay, onMenu, onEditPassword, notice }: Props) {
  const t = useTexts(shellMessages);
  const fold = isFolded ? <MenuUnfoldOutlined /> : <MenuFoldOutlined />;
  return (
    <header className="w-header">
      <IconButton
        label={t(isFolded || isOverlay ? "shell.expand" : "shell.collapse")}
        onClick={onMenu}
      >
        {isOverlay ? <MenuOutlined /> : fold}
      </IconButton>
      <Breadcrumb />
      <div className="w-header-tools">
        {notice}
        <FullScreenButton />
        <LanguageButton />
        <DarkButton />
        <UserMenu onEditPassword={onEditPassword} />
      </div>
    </header>
  );
}

interface IconButtonProps {
  readonly label: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

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

/** A home icon and each titled route on the way here. */
function Breadcrumb() {
  const t = useTexts(shellMessages);
  const { menus } = useSession();
  const { pathname } = useLocation();
  const way = wayTo(menus, pathname);
  return (
    <nav aria-label={t("shell.path")} className="w-breadcrumb">
      <Link to="/" aria-label={t("shell.home")} title={t("shell.home")}>
        <HomeOutlined />
      </Link>
      {way.map((node, index) => (
        <span key={node.path}>
          <i aria-hidden="true">/</i>
          {index === way.length - 1 || node.url === "" ? (
            titleOf(node, t.language)
          ) : (
            <Link to={node.path}>{titleOf(node, t.language)}</Link>
          )}
        </span>
      ))}
    </nav>
  );
}

function FullScreenButton() {
  const t = useTexts(shellMessages);
  const toast = useToast();
  const toggle = async (): Promise<void> => {
    if (!document.fullscreenEnabled) return toast.hint(t("shell.noFullScreen"));
    await (document.fullscreenElement
      ? document.exitFullscreen()
      : document.documentElement.requestFullscreen());
  };
  return (
    <IconButton label={t("shell.fullScreen")} onClick={() => void toggle()}>
      <FullscreenOutlined />
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

function DarkButton() {
  const t = useTexts(shellMessages);
  const { darkMode } = useDisplay();
  return (
    <IconButton
      label={t(darkMode ? "shell.light" : "shell.dark")}
      onClick={() => changeDisplay({ darkMode: !darkMode })}
    >
      {darkMode ? <SunOutlined /> : <MoonOutlined />}
    </IconButton>
  );
}

/** The server forgets the token too; when it cannot be reached, this browser still does. */
const logOut = async (): Promise<void> => {
  await call(logout, {}).catch(() => undefined);
  // The next person begins at the start, not where this one was.
  history.replaceState(null, "", "/login");
  endSession();
};

function UserMenu({ onEditPassword }: { readonly onEditPassword: () => void }) {
  const t = useTexts(shellMessages);
  const { loginName } = useSession();
  const confirm = useConfirm();
  const leave = async (): Promise<void> => {
    const isMeant = await confirm({
      title: t("shell.logOutTitle"),
      body: t("shell.logOutBody"),
      ok: t("shell.logOut"),
    });
    if (isMeant) await logOut();
  };
  return (
    <Dropdown
      trigger={["click"]}
      placement="bottomRight"
      menu={{
        items: [
          { key: "password", label: t("shell.editPassword"), onClick: onEditPassword },
          { type: "divider" },
          { key: "out", label: t("shell.logOut"), onClick: () => void leave() },
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

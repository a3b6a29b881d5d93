import DownOutlined from "@ant-design/icons/es/icons/DownOutlined";
import UserOutlined from "@ant-design/icons/es/icons/UserOutlined";
import { logout } from "@weft/contract/calls/session.ts";
import Dropdown from "antd/es/dropdown";
import { call } from "#kernel/call.ts";
import { useConfirm } from "#kernel/feedback/confirm.tsx";
import { useSession } from "#kernel/session.tsx";
import { endSession } from "#kernel/session-state.ts";
import { useTexts } from "#kernel/texts.ts";
import { shellMessages } from "./messages.ts";

/** The server forgets the token too; when it cannot be reached, this browser still does. */
const logOut = async (): Promise<void> => {
  await call(logout, {}).catch(() => undefined);
  // The next person begins at the start, not where this one was.
  history.replaceState(null, "", "/login");
  endSession();
};

/** Who is logged in, with exactly two entries: change the password, log out (section 2.5). */
export function UserMenu({ onEditPassword }: { readonly onEditPassword: () => void }) {
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

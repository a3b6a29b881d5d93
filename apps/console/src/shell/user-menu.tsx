import DownOutlined from "@ant-design/icons/es/icons/DownOutlined";
import UserOutlined from "@ant-design/icons/es/icons/UserOutlined";
import Dropdown from "antd/es/dropdown";
import { useSession } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import { shellMessages } from "./messages.ts";
import { useLogOut } from "./use-logout.ts";

/** Who is logged in, with exactly two entries: change the password, log out (section 2.5). */
export function UserMenu({ onEditPassword }: { readonly onEditPassword: () => void }) {
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

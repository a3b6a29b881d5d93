import { userEditEnable, user as users } from "@weft/contract/domains/access/user.ts";
import { CallDialog } from "#parts/call-dialog.tsx";
import { OwnPassword } from "#parts/fields/own-password.tsx";
import { type UserRow, useUserTexts } from "./user-texts.ts";

interface Props {
  readonly user: UserRow;
  readonly onClose: () => void;
}

/** Lets a disabled user in again. */
export function UserEnable({ user: { userId, loginName: name }, onClose }: Props) {
  const t = useUserTexts();
  return (
    <CallDialog
      open
      endpoint={userEditEnable}
      title={t("user.enableTitle", { name })}
      initial={{ userId, enable: true, oldPsw: null }}
      ok={t("act.enable")}
      touches={[users.name]}
      onClose={onClose}
    >
      <p>{t("user.enableBody", { name })}</p>
      <OwnPassword />
    </CallDialog>
  );
}

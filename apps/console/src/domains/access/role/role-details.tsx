import { enterpriseCombo } from "@weft/contract/domains/enterprises/enterprise.ts";
import { useCall } from "#client/use-call.ts";
import { KeyValue } from "#ui/key-value.tsx";
import { Drawer } from "#ui/overlay/drawer.tsx";
import { byFamily } from "./permission-families.ts";
import { scopeText } from "./role-columns.tsx";
import { familyName, permissionName, type RoleRow, useRoleTexts } from "./role-texts.ts";

interface Props {
  readonly role: RoleRow;
  readonly onClose: () => void;
}

/** Everything that a role gives, to read. */
export function RoleDetails({ role, onClose }: Props) {
  const t = useRoleTexts();
  const { data } = useCall(enterpriseCombo, role.groupids.length > 0 ? {} : null);
  const selected = (data ?? []).filter(({ groupid }) => role.groupids.includes(groupid));
  const families = byFamily(role.authorities);
  return (
    <Drawer open size={480} title={t("role.detailsOf", { name: role.name })} onClose={onClose}>
      <KeyValue
        items={[
          { label: t.field("roleCode"), value: role.roleCode },
          { label: t.field("enterpriseName"), value: role.enterpriseName },
          { label: t.field("roleType"), value: t.code("roleType", role.roleType) },
          { label: t.field("dataScope"), value: scopeText(role, t) },
          ...(selected.length > 0
            ? [{ label: t.field("groupids"), value: t.list(selected.map(({ name }) => name)) }]
            : []),
          { label: t.field("users"), value: role.users },
          ...families.map(({ family, codes }) => ({
            label: familyName(family, t),
            value: t.list(codes.map((code) => permissionName(code, t))),
          })),
        ]}
      />
      {families.length === 0 && <p>{t("role.givesNothing")}</p>}
    </Drawer>
  );
}

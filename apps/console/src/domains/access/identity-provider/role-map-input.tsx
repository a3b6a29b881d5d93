import type { GroupRole } from "@weft/contract/domains/access/role-map.ts";
import Button from "antd/es/button";
import Input from "antd/es/input";
import Select from "antd/es/select";
import { useTexts } from "#client/texts.ts";
import type { FieldControl } from "#kernel/form/field.tsx";
import styles from "./identity-provider.module.css";
import { providerMessages } from "./messages.ts";

export interface RoleOption {
  readonly value: number;
  readonly label: string;
}

interface Props {
  readonly control: FieldControl<readonly GroupRole[] | null>;
  readonly roles: readonly RoleOption[];
}

/** Groups of the provider, each with the role that it gives. */
export function RoleMapInput({ control, roles }: Props) {
  const t = useTexts(providerMessages);
  const rows = control.value ?? [];
  const numbered = rows.map((row, at) => ({ row, at }));
  const change = (at: number, part: Partial<GroupRole>): void =>
    control.set(rows.map((row, index) => (index === at ? { ...row, ...part } : row)));
  return (
    <div className={styles.map} id={control.id} aria-describedby={control.describedBy}>
      {numbered.map(({ row, at }) => (
        <div key={at} className={styles.mapRow}>
          <Input
            aria-label={t("provider.group")}
            placeholder={t("provider.group")}
            value={row.group}
            onChange={({ target }) => change(at, { group: target.value })}
          />
          <Select
            aria-label={t("provider.role")}
            placeholder={t("provider.role")}
            value={row.roleId || null}
            options={[...roles]}
            showSearch={{ optionFilterProp: "label" }}
            onChange={(roleId) => change(at, { roleId: roleId ?? 0 })}
          />
          <Button onClick={() => control.set(rows.filter((_, index) => index !== at))}>
            {t("provider.removeGroup")}
          </Button>
        </div>
      ))}
      <Button onClick={() => control.set([...rows, { group: "", roleId: 0 }])}>
        {t("provider.addGroup")}
      </Button>
    </div>
  );
}

import type { Grant } from "@weft/contract/access.ts";
import { defaultGrants, grantCodes } from "@weft/contract/grants.ts";
import Button from "antd/es/button";
import Input from "antd/es/input/Input";
import Tree from "antd/es/tree";
import { useMemo, useState } from "react";
import { useSession } from "#client/session.tsx";
import { useDraftValues } from "#kernel/form/draft-form.tsx";
import type { FieldControl } from "#kernel/form/field.tsx";
import { byFamily, type FamilyCodes, grantable } from "./permission-families.ts";
import styles from "./permission-tree.module.css";
import { familyName, permissionName, type RoleTexts, useRoleTexts } from "./role-texts.ts";

/** Families of which some code's text, or the family's own, contains what is looked for. */
export function matchingFamilies(
  families: readonly FamilyCodes[],
  wanted: string,
  names: {
    readonly family: (familyCodes: FamilyCodes) => string;
    readonly code: (code: Grant) => string;
  },
): FamilyCodes[] {
  const text = wanted.trim().toLowerCase();
  if (text === "") return [...families];
  const fits = (name: string): boolean => name.toLowerCase().includes(text);
  return families
    .map((family) =>
      fits(names.family(family))
        ? family
        : { ...family, codes: family.codes.filter((code) => fits(names.code(code)) || fits(code)) },
    )
    .filter(({ codes }) => codes.length > 0);
}

/**
 * The selected codes after a click in the part of the tree that is shown: what is not shown stays as
 * it was. In the contract's order.
 */
export function chosenAfter(
  before: readonly Grant[],
  shown: readonly FamilyCodes[],
  checked: readonly string[],
): Grant[] {
  const visible = new Set<string>(shown.flatMap(({ codes }) => codes));
  const kept = before.filter((code) => !visible.has(code));
  const now = new Set([...kept, ...checked.filter((key) => visible.has(key))]);
  return grantCodes.filter((code) => now.has(code));
}

type RoleType = Parameters<typeof defaultGrants>[0];

/** Entries of the menu by branch, and permissions by family. Only what the caller can grant is there. */
export function PermissionTree({ control }: { readonly control: FieldControl<Grant[]> }) {
  const t = useRoleTexts();
  const session = useSession();
  const [wanted, setWanted] = useState("");
  const [opened, setOpened] = useState<string[]>([]);
  const held = useMemo(() => grantable(session), [session]);
  const { value, set } = control;
  const families = byFamily(held);
  const shown = matchingFamilies(families, wanted, {
    family: ({ family }) => familyName(family, t),
    code: (code) => permissionName(code, t),
  });
  const tree = shown.map(({ family, codes }) => ({
    key: `family:${family}`,
    title: t("role.familyCount", {
      name: familyName(family, t),
      count: codes.filter((code) => value.includes(code)).length,
      all: codes.length,
    }),
    children: codes.map((code) => ({ key: code, title: permissionName(code, t) })),
  }));
  const isSearching = wanted.trim() !== "";
  return (
    <div id={control.id} className={styles.permissions}>
      <Tools t={t} held={held} control={control} wanted={wanted} onWanted={setWanted} />
      {tree.length === 0 && <span>{t("role.noPermission")}</span>}
      <Tree
        checkable
        selectable={false}
        treeData={tree}
        checkedKeys={shown.flatMap(({ codes }) => codes.filter((code) => value.includes(code)))}
        expandedKeys={isSearching ? tree.map(({ key }) => key) : opened}
        onExpand={(keys) => setOpened(keys.map(String))}
        onCheck={(checked) => {
          const keys = Array.isArray(checked) ? checked : checked.checked;
          set(chosenAfter(value, shown, keys.map(String)));
        }}
      />
    </div>
  );
}

interface ToolsProps {
  readonly t: RoleTexts;
  readonly held: readonly Grant[];
  readonly control: FieldControl<Grant[]>;
  readonly wanted: string;
  readonly onWanted: (text: string) => void;
}

function Tools({ t, held, control, wanted, onWanted }: ToolsProps) {
  const { roleType } = useDraftValues<{ roleType: RoleType }>();
  const preset = defaultGrants(roleType).filter((code) => held.includes(code));
  const count = control.value.filter((code) => held.includes(code)).length;
  return (
    <div className={styles.tools}>
      <Input
        allowClear
        value={wanted}
        placeholder={t("role.findPermission")}
        aria-label={t("role.findPermission")}
        onChange={(event) => onWanted(event.target.value)}
      />
      <span>{t("role.selected", { count, all: held.length })}</span>
      <Button size="small" onClick={() => control.set(preset)}>
        {t("role.preset")}
      </Button>
      <Button size="small" disabled={count === held.length} onClick={() => control.set([...held])}>
        {t("role.all")}
      </Button>
      <Button size="small" disabled={control.value.length === 0} onClick={() => control.set([])}>
        {t("role.none")}
      </Button>
    </div>
  );
}

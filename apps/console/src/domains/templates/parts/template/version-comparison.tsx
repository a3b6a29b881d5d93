import { policyFamilies } from "@weft/contract/domains/policies/policy-families.ts";
import {
  routerTemplateVersionCompare,
  routerTemplateVersionList,
  routerTemplateVersionRestore,
} from "@weft/contract/domains/templates/template-version.ts";
import Button from "antd/es/button";
import Select from "antd/es/select";
import { useId } from "react";
import { type Translate, useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { Differences } from "#domains/delivery/parts/history/differences.tsx";
import { Failed, Loading } from "#feedback/empty-state.tsx";
import { useAction } from "#feedback/use-action.ts";
import { Drawer } from "#ui/overlay/drawer.tsx";
import styles from "./template-versions.module.css";
import { versionMessages } from "./version-messages.ts";

/** Two versions; null is the draft. */
export interface Compared {
  readonly from: number | null;
  readonly to: number | null;
  /** What the draft would become is shown before it does. */
  readonly restores: boolean;
}

interface Props {
  readonly templateId: number;
  readonly compared: Compared;
  readonly onChange: (compared: Compared) => void;
  readonly onBack: () => void;
  readonly onClose: () => void;
}

type Texts = Translate<keyof typeof versionMessages>;
const nameOf = (t: Texts, version: number | null): string =>
  version === null ? t("version.draft") : t("version.name", { version });

/** Rows of the template that a restore changes, and what is known of it. */
const touches = ["routerTemplate", ...policyFamilies.map(({ name }) => name)];

/** What lies between two versions of a template, or what restoring one would change. */
export function VersionComparison({ templateId, compared, onChange, onBack, onClose }: Props) {
  const t = useTexts(versionMessages);
  const { from, to, restores } = compared;
  const result = useCall(routerTemplateVersionCompare, { templateId, from, to }, { keep: false });
  const restore = useAction(routerTemplateVersionRestore, {
    touches,
    done: t("version.restored", { version: to ?? 0 }),
  });
  const { data } = result;
  const run = async (): Promise<void> => {
    if (to === null || !data) return;
    const done = await restore.act({ templateId, version: to, draft: data.draft });
    if (done === null) result.refetch();
    else onBack();
  };
  const title = restores
    ? t("version.restoreTitle", { version: to ?? 0 })
    : `${nameOf(t, from)} → ${nameOf(t, to)}`;
  const canRestore = restores && data !== undefined && data.count > 0;
  return (
    <Drawer
      open
      size={720}
      title={title}
      onClose={onClose}
      footer={
        <div className={styles.foot}>
          <Button onClick={onBack}>{t("version.back")}</Button>
          {canRestore && (
            <Button type="primary" loading={restore.isActing} onClick={() => void run()}>
              {t("version.restore")}
            </Button>
          )}
        </div>
      }
    >
      {restores ? (
        canRestore && <p>{t("version.restoreBody", { count: data.count })}</p>
      ) : (
        <PairFields templateId={templateId} compared={compared} onChange={onChange} t={t} />
      )}
      {data ? (
        <Differences
          objects={data.objects}
          count={data.count}
          none={restores ? t("version.nothingToRestore", { version: to ?? 0 }) : t("version.same")}
        />
      ) : result.error ? (
        <Failed error={result.error} retry={result.refetch} />
      ) : (
        <Loading rows={4} />
      )}
    </Drawer>
  );
}

interface PairProps extends Pick<Props, "templateId" | "compared" | "onChange"> {
  readonly t: Texts;
}

/** Versions that are offered; older ones are compared from their own row. */
const maxOffered = 100;

function PairFields({ templateId, compared, onChange, t }: PairProps) {
  const result = useCall(routerTemplateVersionList, { templateId, page: 1, limit: maxOffered });
  const id = useId();
  const known = new Set([compared.from, compared.to].filter((one) => one !== null));
  for (const { version } of result.data ?? []) known.add(version);
  const options = [null, ...[...known].sort((a, b) => b - a)].map((version) => ({
    value: version ?? 0,
    label: nameOf(t, version),
  }));
  const field = (end: "from" | "to") => (
    <label htmlFor={`${id}-${end}`}>
      <span className="w-quiet">{t(`version.${end}`)}</span>
      <Select
        id={`${id}-${end}`}
        value={compared[end] ?? 0}
        options={options}
        onChange={(value: number) => onChange({ ...compared, [end]: value === 0 ? null : value })}
      />
    </label>
  );
  const swap = (): void => onChange({ ...compared, from: compared.to, to: compared.from });
  return (
    <div className={styles.pair}>
      {field("from")}
      {field("to")}
      <Button onClick={swap}>{t("version.swap")}</Button>
    </div>
  );
}

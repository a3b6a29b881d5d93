import { enterpriseCombo } from "@weft/contract/domains/enterprises/enterprise.ts";
import {
  routerTemplateTargetAdd,
  routerTemplateTargetList,
  routerTemplateTargetRemove,
} from "@weft/contract/domains/templates/template-target.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import Button from "antd/es/button";
import Select from "antd/es/select";
import { useId, useState } from "react";
import { useCall } from "#client/use-call.ts";
import { useAction } from "#feedback/use-action.ts";
import styles from "./cpe-transfer.module.css";
import { type TemplateTexts, useTemplateTexts } from "./template-texts.ts";

type Target = OutputOf<typeof routerTemplateTargetList>[number];

const touches = ["routerTemplate", "routerTemplateVersion", "routerTemplateRollout"];

/** Enterprises whose CPEs the template includes, those of later as well; each change acts immediately. */
export function CpeTargets({ templateId }: { readonly templateId: number }) {
  const t = useTemplateTexts();
  const heading = useId();
  const [groupid, setGroupid] = useState<number | null>(null);
  const { data: targets = [] } = useCall(routerTemplateTargetList, { templateId });
  const { data: enterprises = [] } = useCall(enterpriseCombo, {});
  const add = useAction(routerTemplateTargetAdd, { touches, done: t("tem.targetAdded") });
  const taken = new Set(targets.map((target) => target.groupid));
  const run = async (): Promise<void> => {
    if (groupid === null) return;
    if ((await add.act({ templateId, groupid })) !== null) setGroupid(null);
  };
  return (
    <section className={styles.targets} aria-labelledby={heading}>
      <h3 id={heading}>{t("tem.targets")}</h3>
      <p className="w-quiet">{t("tem.targetsHelp")}</p>
      <ul>
        {targets.map((target) => (
          <TargetItem key={target.groupid} templateId={templateId} target={target} t={t} />
        ))}
      </ul>
      <div className={styles.add}>
        <div className={styles.pick}>
          <Select
            aria-label={t("tem.targetEnterprise")}
            placeholder={t("tem.targetEnterprise")}
            allowClear
            showSearch={{ optionFilterProp: "label" }}
            value={groupid}
            options={enterprises
              .filter((enterprise) => !taken.has(enterprise.groupid))
              .map((enterprise) => ({ value: enterprise.groupid, label: enterprise.name }))}
            onChange={(next) => setGroupid(next ?? null)}
          />
        </div>
        <Button disabled={groupid === null} loading={add.isActing} onClick={() => void run()}>
          {t("tem.targetAdd")}
        </Button>
      </div>
    </section>
  );
}

interface ItemProps {
  readonly templateId: number;
  readonly target: Target;
  readonly t: TemplateTexts;
}

function TargetItem({ templateId, target, t }: ItemProps) {
  const { groupid, enterpriseName, cpes, members, elsewhere, excluded } = target;
  const remove = useAction(routerTemplateTargetRemove, { touches, done: t("tem.targetRemoved") });
  const name = enterpriseName || t("tem.targetAbove");
  const notes = [
    t("tem.targetMembers", { members, cpes }),
    ...(elsewhere > 0 ? [t("tem.targetElsewhere", { count: elsewhere })] : []),
    ...(excluded > 0 ? [t("tem.targetExcluded", { count: excluded })] : []),
  ];
  return (
    <li>
      <span className="w-name">{name}</span> <span className="w-quiet">{notes.join(" · ")}</span>
      <Button
        type="link"
        size="small"
        aria-label={`${t("tem.targetRemove")} ${name}`}
        loading={remove.isActing}
        onClick={() => void remove.act({ templateId, groupid })}
      >
        {t("tem.targetRemove")}
      </Button>
    </li>
  );
}

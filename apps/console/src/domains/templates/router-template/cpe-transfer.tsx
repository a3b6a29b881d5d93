import { enterpriseCombo } from "@weft/contract/domains/enterprises/enterprise.ts";
import {
  routerTemplateAllCpes,
  routerTemplateCpes,
  routerTemplateRelAdd,
  routerTemplateRelRemove,
} from "@weft/contract/domains/templates/router-template.ts";
import {
  routerTemplateTargetAdd,
  routerTemplateTargetList,
  routerTemplateTargetRemove,
} from "@weft/contract/domains/templates/template-target.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import Button from "antd/es/button";
import Select from "antd/es/select";
import { useEffect, useId, useState } from "react";
import { call } from "#client/call.ts";
import { useVisitEnd } from "#client/session.tsx";
import { useCall } from "#client/use-call.ts";
import { Failed, Loading } from "#feedback/empty-state.tsx";
import { useToast } from "#feedback/toast.tsx";
import { useAction, useInvalidate } from "#feedback/use-action.ts";
import { Modal } from "#ui/overlay/modal.tsx";
import { CpeSide } from "./cpe-side.tsx";
import styles from "./cpe-transfer.module.css";
import { nothingStaged, nothingTicked, type Staged, sidesOf, stageIn, stageOut } from "./staged.ts";
import { type TemplateTexts, useTemplateTexts } from "./template-texts.ts";

type Target = OutputOf<typeof routerTemplateTargetList>[number];

const touches = ["routerTemplate", "routerTemplateVersion", "routerTemplateRollout"];

/** Enterprises whose CPEs the template includes, those of later as well; each change acts immediately. */
function CpeTargets({ templateId }: { readonly templateId: number }) {
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

/** Text counts once no key was pressed for this long, in ms. */
const typingPause = 300;

interface Props {
  readonly templateId: number;
  readonly name: string;
  readonly onClose: () => void;
}

/** What is typed, and what of it counts already. */
const useTyped = () => {
  const [typed, setTyped] = useState("");
  const [text, setText] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setText(typed.trim()), typingPause);
    return () => clearTimeout(timer);
  }, [typed]);
  return { typed, setTyped, text: text === "" ? null : text };
};

/** Saves what is staged: leaving first, so that nothing is in the way of what comes. */
const useSave = ({ templateId, onClose }: Props, staged: Staged) => {
  const t = useTemplateTexts();
  const toast = useToast();
  const invalidate = useInvalidate();
  const [isSaving, setSaving] = useState(false);
  const save = async (): Promise<void> => {
    setSaving(true);
    try {
      const [added, removed] = [[...staged.added.keys()], [...staged.removed.keys()]];
      if (removed.length > 0) await call(routerTemplateRelRemove, { templateId, cpeIds: removed });
      if (added.length > 0) await call(routerTemplateRelAdd, { templateId, cpeIds: added });
      toast.done(t("tem.saved"));
      onClose();
    } catch (error) {
      toast.failed(error);
    } finally {
      setSaving(false);
      invalidate("routerTemplate", "routerTemplateLog", "nodeState", "task");
    }
  };
  return { save, isSaving };
};

/** Which CPEs follow a template: available against added, nothing counts before it is saved. */
export function CpeTransfer(props: Props) {
  const { templateId, name, onClose } = props;
  const t = useTemplateTexts();
  const [staged, setStaged] = useState(nothingStaged);
  const { save, isSaving } = useSave(props, staged);
  const counts = { added: staged.added.size, removed: staged.removed.size };
  return (
    <Modal
      open
      width={960}
      title={t("tem.cpesOf", { name })}
      onCancel={onClose}
      destroyOnHidden
      footer={
        <>
          <span className="w-quiet">{t("tem.staged", counts)} </span>
          <Button onClick={onClose}>{t("act.cancel")}</Button>
          <Button
            type="primary"
            disabled={counts.added + counts.removed === 0}
            loading={isSaving}
            onClick={() => void save()}
          >
            {t("tem.save", counts)}
          </Button>
        </>
      }
    >
      <Sides templateId={templateId} staged={staged} setStaged={setStaged} />
    </Modal>
  );
}

interface SidesProps {
  readonly templateId: number;
  readonly staged: Staged;
  readonly setStaged: (next: Staged) => void;
}

function Sides({ templateId, staged, setStaged }: SidesProps) {
  const t = useTemplateTexts();
  const isVisit = useVisitEnd() !== null;
  const [groupid, setGroupid] = useState<number | null>(null);
  const [left, right] = [useTyped(), useTyped()];
  const [coming, setComing] = useState(nothingTicked);
  const [leaving, setLeaving] = useState(nothingTicked);
  const all = useCall(
    routerTemplateAllCpes,
    { templateId, groupid, alias: left.text },
    { keep: true },
  );
  const result = useCall(routerTemplateCpes, { templateId, alias: right.text }, { keep: true });
  const missing = [all, result].find(({ data }) => data === undefined);
  if (missing?.error) return <Failed error={missing.error} retry={missing.refetch} />;
  if (!all.data || !result.data) return <Loading rows={8} />;
  const sides = sidesOf(all.data, result.data, staged);
  const moveIn = (): void => {
    setStaged(stageIn(staged, [...coming.values()]));
    setComing(nothingTicked);
  };
  const moveOut = (): void => {
    setStaged(stageOut(staged, [...leaving.values()]));
    setLeaving(nothingTicked);
  };
  return (
    <>
      {/* The list of enterprises is not for visitors. */}
      {!isVisit && <CpeTargets templateId={templateId} />}
      <div className={styles.sides}>
        <CpeSide
          title={t("tem.available")}
          cpes={sides.left}
          marked={staged.removed}
          mark={t("tem.isLeaving")}
          ticked={coming}
          onTick={setComing}
          search={left.typed}
          onSearch={left.setTyped}
          {...(!isVisit && { filter: <Enterprises value={groupid} onChange={setGroupid} /> })}
          templateId={templateId}
          empty={t("tem.noneAvailable")}
        />
        <div className={styles.moves}>
          <Button disabled={coming.size === 0} onClick={moveIn}>
            {t("tem.moveIn", { count: coming.size })}
          </Button>
          <Button disabled={leaving.size === 0} onClick={moveOut}>
            {t("tem.moveOut", { count: leaving.size })}
          </Button>
        </div>
        <CpeSide
          title={t("tem.added")}
          cpes={sides.right}
          marked={staged.added}
          mark={t("tem.isNew")}
          ticked={leaving}
          onTick={setLeaving}
          search={right.typed}
          onSearch={right.setTyped}
          templateId={templateId}
          empty={t("tem.noneAdded")}
        />
      </div>
    </>
  );
}

interface EnterprisesProps {
  readonly value: number | null;
  readonly onChange: (groupid: number | null) => void;
}

function Enterprises({ value, onChange }: EnterprisesProps) {
  const t = useTemplateTexts();
  const { data = [] } = useCall(enterpriseCombo, {});
  return (
    <Select
      aria-label={t.field("enterpriseName")}
      placeholder={t("tem.allEnterprises")}
      allowClear
      showSearch={{ optionFilterProp: "label" }}
      value={value}
      options={data.map(({ groupid, name }) => ({ value: groupid, label: name }))}
      onChange={(next) => onChange(next ?? null)}
    />
  );
}

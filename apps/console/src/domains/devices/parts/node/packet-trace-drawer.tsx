import { packetOrigins, packetProtocols } from "@weft/contract/device/v1/trace/packet.ts";
import { packetTrace } from "@weft/contract/domains/delivery/trace.ts";
import { traceReasonTexts, traceStageTexts } from "@weft/contract/domains/delivery/trace-text.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { policyTitle } from "@weft/contract/domains/policies/policy-finding.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { formatMessage } from "@weft/contract/kernel/message.ts";
import Button from "antd/es/button";
import { useEffect, useState } from "react";
import { call } from "#client/call.ts";
import { useCurrentLanguage } from "#client/language.ts";
import { useMay } from "#client/session.tsx";
import { codeOptions } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { serialText } from "#domains/delivery/parts/history/state-owner.ts";
import { DraftForm } from "#kernel/form/draft-form.tsx";
import { Field } from "#kernel/form/field.tsx";
import { useDraft } from "#kernel/form/use-draft.ts";
import { type Glyph, StatusGlyph } from "#ui/glyph.tsx";
import { Drawer } from "#ui/overlay/drawer.tsx";
import { Sentence } from "#ui/sentence.tsx";
import type { NodeCard } from "./node-card.ts";
import styles from "./packet-trace.module.css";
import { useTraceTexts } from "./trace-texts.ts";
import { useNodeState } from "./use-node.ts";

type Step = Traced["steps"][number];

const glyphs: Readonly<Record<Step["verdict"], Glyph>> = {
  pass: "ok",
  change: "diff",
  drop: "bad",
};

/** The object whose rule decided: what it is, what people call it, and whose it is. */
function ObjectName({ object }: { readonly object: NonNullable<Step["object"]> }) {
  const t = useTraceTexts();
  const title = formatMessage(policyTitle(object.family), useCurrentLanguage());
  const name = object.name === "" ? `#${object.id}` : object.name;
  return (
    <span className="w-quiet">
      {t("trace.object", { title, name, level: t.code("policyLevel", object.level) })}
    </span>
  );
}

/** The stages in their order; the last one decides. */
function TraceResult({ traced }: { readonly traced: Traced }) {
  const t = useTraceTexts();
  const language = useCurrentLanguage();
  const { outcome, steps, serial } = traced;
  return (
    <section className={styles.result} aria-live="polite">
      <h3>
        <Sentence
          glyph={outcome === "dropped" ? "bad" : "ok"}
          text={t.code("traceOutcome", outcome)}
        />
      </h3>
      <ol className={styles.steps}>
        {steps.map(({ stage, verdict, reason, params, object }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: stages may occur twice, and never move
          <li key={at} data-verdict={verdict}>
            <StatusGlyph glyph={glyphs[verdict]} />
            <span className={styles.stage}>{formatMessage(traceStageTexts[stage], language)}</span>
            <span>
              {formatMessage(traceReasonTexts[reason], language, params)}
              {object && <ObjectName object={object} />}
            </span>
          </li>
        ))}
      </ol>
      <p className="w-quiet">{t("trace.by", { serial: serialText(serial) })}</p>
    </section>
  );
}

interface Props {
  readonly node: NodeCard;
  readonly onClose: () => void;
}

type Traced = OutputOf<typeof packetTrace>;
type Packet = ReturnType<typeof useTraced>["values"];

/** Interfaces that a packet may come by; without a right to read the LANs their names are typed. */
function useInterfaces(node: NodeCard, from: unknown): readonly string[] {
  const may = useMay();
  const mayLans = may("cpeLansection") || may("configLansectionList");
  const state = useNodeState(node.id);
  const lans = useCall(
    lanSection.ops.list,
    mayLans ? { page: 1, limit: 100, orderByColumn: null, isAsc: null, nCpeID: node.id } : null,
  );
  const names =
    from === "lan"
      ? (lans.data ?? []).map(({ interfaceName }) => interfaceName)
      : (state.data?.lines ?? []).map(({ interfaceName }) => interfaceName);
  return [...new Set(names)];
}

/** Keeps the interface while packets of this origin come by it, else chooses where there is one alone; null: none. */
function interfaceFor({ from, interfaceName }: Packet, names: readonly string[]): unknown {
  if (from === "space") return null;
  const isThere = names.length === 0 || names.includes(String(interfaceName));
  if (interfaceName !== null && isThere) return interfaceName;
  return names.length === 1 ? names[0] : null;
}

/** Keeps the interface of the form one that packets of its origin come by. */
function useOnlyInterface(form: ReturnType<typeof useTraced>, names: readonly string[]): void {
  const { values, set } = form;
  const { interfaceName } = values;
  const wanted = interfaceFor(values, names);
  useEffect(() => {
    if (wanted !== interfaceName) set("interfaceName", wanted);
  }, [wanted, interfaceName, set]);
}

const initialOf = (id: number) => ({
  ...({ id, from: "lan", interfaceName: null, source: "", destination: "" } as const),
  ...({ protocol: "tcp", sourcePort: null, targetPort: null, mac: null } as const),
});

const useTraced = (id: number) => useDraft(packetTrace.input, initialOf(id));

/** What a CPE does with a packet that is described here: which rule of which object decides at each stage. */
export function PacketTraceDrawer({ node, onClose }: Props) {
  const t = useTraceTexts();
  const form = useTraced(node.id);
  const { values } = form;
  const [answered, setAnswered] = useState<{ to: object; traced: Traced } | null>(null);
  const [isSending, setSending] = useState(false);
  const interfaces = useInterfaces(node, values.from);
  const traced = answered?.to === values ? answered.traced : null;
  const options = interfaces.map((value) => ({ value, label: value }));
  useOnlyInterface(form, interfaces);
  return (
    <Drawer open size={720} title={t("trace.titleOf", { name: node.name })} onClose={onClose}>
      <p className="w-quiet">{t("trace.what")}</p>
      <DraftForm
        form={form}
        onSubmit={async (packet) => {
          setSending(true);
          try {
            setAnswered({ to: values, traced: (await call(packetTrace, packet)).data });
          } finally {
            setSending(false);
          }
        }}
      >
        <Field
          name="from"
          label={t("trace.from")}
          kind="radio"
          options={codeOptions(t, "packetOrigin", packetOrigins)}
        />
        {values.from !== "space" && (
          <Field
            name="interfaceName"
            label={t("trace.interface")}
            required
            {...(options.length > 0
              ? { kind: "select" as const, options }
              : { kind: "mono" as const })}
          />
        )}
        <div className={styles.ends}>
          <Field name="source" label={t("trace.source")} kind="mono" />
          <Field name="destination" label={t("trace.destination")} kind="mono" />
        </div>
        <Field
          name="protocol"
          label={t("trace.protocol")}
          kind="radio"
          options={packetProtocols.map((value) => ({ value, label: value.toUpperCase() }))}
        />
        {values.protocol !== "icmp" && (
          <div className={styles.ends}>
            <Field name="sourcePort" label={t("trace.sourcePort")} help={t("trace.anyPort")} />
            <Field name="targetPort" label={t("trace.targetPort")} required />
          </div>
        )}
        {values.from === "lan" && (
          <Field name="mac" label={t("trace.mac")} kind="mono" help={t("trace.macHelp")} />
        )}
        <Button type="primary" htmlType="submit" loading={isSending}>
          {t("trace.run")}
        </Button>
      </DraftForm>
      {traced && <TraceResult traced={traced} />}
    </Drawer>
  );
}

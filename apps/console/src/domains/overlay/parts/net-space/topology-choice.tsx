import { topologies, topology } from "@weft/contract/domains/devices/enums.ts";
import { useId } from "react";
import { useSpaceTexts } from "./net-space-texts.ts";
import styles from "./topology-choice.module.css";
import { TopologyPicture } from "./topology-picture.tsx";

interface Props {
  readonly value: number;
  readonly onChange: (value: number) => void;
}

/** The shape of a space: a drawing, its name and what it means in a line. */
export function TopologyChoice({ value, onChange }: Props) {
  const t = useSpaceTexts();
  const group = useId();
  return (
    <div className={styles.choices} role="radiogroup">
      {topologies.map((shape) => {
        const isMesh = shape === topology.fullMesh;
        return (
          <label key={shape} className={styles.choice}>
            <TopologyPicture
              shape={shape}
              label={t(isMesh ? "space.meshPicture" : "space.starPicture")}
            />
            <span>
              <span className={styles.name}>
                <input
                  type="radio"
                  name={group}
                  checked={value === shape}
                  onChange={() => onChange(shape)}
                />
                {t.code("topology", shape)}
              </span>
              <span className={styles.help}>{t(isMesh ? "space.mesh" : "space.star")}</span>
            </span>
          </label>
        );
      })}
    </div>
  );
}

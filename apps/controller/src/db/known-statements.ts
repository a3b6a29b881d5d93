import { type Compilable, CompiledQuery, type Kysely, type RawBuilder, sql } from "kysely";

/** Takes the place of a value in a statement that is built for all values. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** The place of the value of this name; it fits wherever a value does. */
export type ValueOf = (name: string) => RawBuilder<never>;

const placeOf: ValueOf = (name) => sql.val(new Slot(name)) as RawBuilder<never>;

type Build<Row> = (value: ValueOf) => Compilable<Row>;
type Values = Readonly<Record<string, unknown>>;

interface Known {
  readonly text: string;
  /** Values that each use has alike, and slots. */
  readonly parameters: readonly unknown[];
}

/** Shapes at most: filters of a list come in many combinations. Then remembering starts again. */
const maxShapes = 1_000;

/**
 * Statements whose text is made once. Kysely makes a tree of nodes and a text for each use, which takes longer than to send
 * and read most of them; what differs between two uses is the values.
 */
export class KnownStatements {
  readonly #known = new Map<string, Known>();

  /**
   * @param shape everything that the text follows from; null: it is not to be kept
   * @param build is called for a shape that is new, with the places of the values
   */
  compiled<Row>(shape: string | null, build: Build<Row>, values: Values): CompiledQuery<Row> {
    const { text, parameters } = this.#find(shape) ?? this.#make(shape, build);
    return CompiledQuery.raw(
      text,
      parameters.map((parameter) =>
        parameter instanceof Slot ? filled(parameter, values) : parameter,
      ),
    ) as CompiledQuery<Row>;
  }

  async run<Row>(
    db: Pick<Kysely<unknown>, "executeQuery">,
    shape: string | null,
    build: Build<Row>,
    values: Values,
  ): Promise<Row[]> {
    return (await db.executeQuery(this.compiled(shape, build, values))).rows;
  }

  #find(shape: string | null): Known | undefined {
    return shape === null ? undefined : this.#known.get(shape);
  }

  #make<Row>(shape: string | null, build: Build<Row>): Known {
    const { sql: text, parameters } = build(placeOf).compile();
    const made = { text, parameters };
    if (shape === null) return made;
    if (this.#known.size >= maxShapes) this.#known.clear();
    this.#known.set(shape, made);
    return made;
  }
}

function filled({ name }: Slot, values: Values): unknown {
  if (!(name in values)) throw new Error(`the statement has no value for ${name}`);
  return values[name];
}

/** The arch ends at a height of 82 in the logo; taller variants have longer sides. */
const LOGO_HEIGHT = 82;
const WIDTH = 58;

const ARCH =
  'C77 30.96 65.4 27.68 57.86 21.12C52.93 17.43 49.74 13.74 48 8C46.26 13.74 43.07 17.43 38.14 21.12C30.6 27.68 19 30.96 19 47.36Z';
const DROP = 'M48 45.94C50.15 52.39 56.6 57.55 56.6 64A8.6 8.6 0 1 1 39.4 64C39.4 57.55 45.85 52.39 48 45.94Z';

const outline = (height: number): string => `M19 ${8 + height}L77 ${8 + height}L77 47.36${ARCH}`;

type NicheProps = {
  readonly height?: number;
  /** `true` shows a drop and means "done" (animated once), 'falling' means "working", and no drop means "nothing here". */
  readonly drop?: boolean | 'falling';
  readonly strokeWidth?: number;
  readonly className?: string;
};

/** The arched niche of the shop's logo, drawn as a line in the current colour. "Niche" is the design's name for this shape. */
export const Niche = ({ height = 94, drop = false, strokeWidth = 0.7, className = 'h-36 text-gold' }: NicheProps) => (
  <svg className={className} viewBox={`17 6 62 ${height + 4}`} fill="none" aria-hidden="true">
    <path
      d={outline(height)}
      pathLength={1}
      stroke="currentColor"
      strokeWidth={strokeWidth}
      strokeLinejoin="round"
      className={drop === true ? 'animate-draw' : undefined}
    />
    {drop && (
      <g transform={`translate(0 ${height - LOGO_HEIGHT})`}>
        <path d={DROP} fill="currentColor" className={drop === 'falling' ? 'animate-drop' : 'animate-land'} />
      </g>
    )}
  </svg>
);

const round = (value: number): number => Math.round(value * 1e4) / 1e4;

const unitOutline = (height: number): string =>
  outline(height).replace(
    /([\d.]+) ([\d.]+)/g,
    (_, x: string, y: string) => `${round((Number(x) - 19) / WIDTH)} ${round((Number(y) - 8) / height)}`,
  );

export const NicheClip = ({ id, height = 78 }: { readonly id: string; readonly height?: number }) => (
  <svg width="0" height="0" className="absolute" aria-hidden="true">
    <clipPath id={id} clipPathUnits="objectBoundingBox">
      <path d={unitOutline(height)} />
    </clipPath>
  </svg>
);

export const ProgressLine = ({ label, progress }: { readonly label: string; readonly progress: number }) => {
  const percent = Math.min(100, Math.round(progress * 100));
  return (
    <div className="flex min-w-48 items-center gap-3">
      <div
        role="progressbar"
        aria-label={label}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        className="h-1 flex-1 bg-sandal"
      >
        <div className="h-full bg-oxblood" style={{ width: `${percent}%` }} />
      </div>
      <span className="figures w-10 text-right text-xs text-clove">{percent}%</span>
    </div>
  );
};

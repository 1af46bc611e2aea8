import { GripVertical, X } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { Alert } from '../../../ui/feedback/Alert.tsx';
import { Status } from '../../../ui/feedback/Status.tsx';
import { Picture } from '../../../ui/Picture.tsx';
import { cx } from '../../../ui/cx.ts';
import { PictureUpload, usePictureUpload } from './PictureUpload.tsx';
import { movePicture } from './product-form.ts';

type ProductPicturesProps = {
  readonly pictures: readonly string[];
  readonly onChange: (pictures: readonly string[]) => void;
  readonly onUploaded: (address: string) => void;
  /** The error of the field with the addresses, which is then shown. */
  readonly error: string | undefined;
  /** The field with the addresses. */
  readonly children: ReactNode;
};

const keys: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  Home: () => 0,
  End: (_, last) => last,
};

const seenOn = (index: number): string => `${index + 1} ${['Card, page', 'Hover, page'][index] ?? 'Page'}`;

/** The pictures of a product in their order, which pointer and arrow keys change. */
export const ProductPictures = ({ pictures, onChange, onUploaded, error, children }: ProductPicturesProps) => {
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  const [dragged, setDragged] = useState<number>();
  const [said, setSaid] = useState('');
  const focused = useRef<number>(undefined);
  const upload = usePictureUpload(onUploaded);

  const handleAt = (index: number) => list.current?.children[index]?.querySelector('button');
  // A browser drops the focus of an element that changes its place.
  useLayoutEffect(() => {
    if (focused.current !== undefined) handleAt(focused.current)?.focus();
    focused.current = undefined;
  });

  const move = (from: number, to: number): void => {
    if (to === from || to < 0 || to >= pictures.length) return;
    onChange(movePicture(pictures, from, to));
    setSaid(`Picture ${from + 1} is now number ${to + 1}`);
  };
  const moveByKey = (event: KeyboardEvent, at: number): void => {
    const to = keys[event.key]?.(at, pictures.length - 1);
    if (to === undefined) return;
    event.preventDefault();
    focused.current = Math.max(0, Math.min(pictures.length - 1, to));
    move(at, focused.current);
  };
  const grab = ({ button, pointerId, pointerType, target }: PointerEvent, at: number): void => {
    // A finger on the picture scrolls; it drags by the grip.
    const isGrip = target instanceof Element && target.closest('[data-grip]') !== null;
    if (button !== 0 || (pointerType === 'touch' && !isGrip)) return;
    setDragged(at);
    list.current?.setPointerCapture(pointerId);
  };
  const drag = ({ clientX: x, clientY: y }: PointerEvent): void => {
    if (dragged === undefined || !list.current) return;
    const places = [...list.current.children].slice(0, pictures.length).map((place) => place.getBoundingClientRect());
    const at = places.findIndex(({ left, right, top, bottom }) => x >= left && x <= right && y >= top && y <= bottom);
    if (at === -1 || at === dragged) return;
    move(dragged, at);
    setDragged(at);
  };
  const drop = (): void => setDragged(undefined);
  const takeOut = (at: number): void => {
    focused.current = Math.min(at, pictures.length - 2);
    onChange(pictures.filter((_, index) => index !== at));
    setSaid(`Picture ${at + 1} is taken out`);
  };

  return (
    <div className="sm:col-span-6">
      <p id={id} className="text-[0.875rem] font-medium">
        Pictures
      </p>
      <ul
        ref={list}
        aria-labelledby={id}
        onPointerMove={drag}
        onPointerUp={drop}
        onPointerCancel={drop}
        className="mt-2 grid grid-cols-3 gap-3 sm:grid-cols-6"
      >
        {withKeys(pictures).map(({ key, address }, index) => (
          <li key={key} className="relative">
            <button
              type="button"
              aria-label={`Picture ${index + 1} of ${pictures.length}`}
              aria-describedby={`${id}-keys`}
              onKeyDown={(event) => moveByKey(event, index)}
              onPointerDown={(event) => grab(event, index)}
              className={cx(
                'relative block w-full cursor-grab overflow-hidden bg-paper select-none',
                dragged === index && 'cursor-grabbing outline-2 outline-offset-2 outline-oxblood',
              )}
            >
              <Picture src={address} alt="" sizes="120px" className="aspect-4/5 w-full object-cover" />
              <span
                data-grip
                aria-hidden="true"
                className="absolute top-1 left-1 inline-flex size-8 touch-none items-center justify-center rounded-full bg-ivory/92"
              >
                <GripVertical className="size-4" strokeWidth={1.5} />
              </span>
            </button>
            <button
              type="button"
              aria-label={`Take picture ${index + 1} out`}
              onClick={() => takeOut(index)}
              className="absolute top-1 right-1 inline-flex size-8 items-center justify-center rounded-full bg-ivory/92 max-sm:size-11"
            >
              <X className="size-4" strokeWidth={1.5} />
            </button>
            <p className="mt-1.5 text-xs text-clove">{seenOn(index)}</p>
          </li>
        ))}
        <li>
          <PictureUpload {...upload} />
          <p className="mt-1.5 text-xs text-clove">4:5, 1200 px</p>
        </li>
      </ul>
      {upload.problem !== undefined && <Alert className="mt-3">{upload.problem}</Alert>}
      <Status className="sr-only">{said}</Status>
      <p id={`${id}-keys`} className="mt-2 text-xs text-clove">
        Drag to change the order, or press ← → on a picture
      </p>
      <Addresses error={error}>{children}</Addresses>
    </div>
  );
};

/** The same address may stand twice. */
const withKeys = (pictures: readonly string[]) =>
  pictures.map((address, index) => ({ address, key: `${address} ${pictures.slice(0, index).filter((each) => each === address).length}` }));

/** The addresses are seldom needed, so they are folded; an error unfolds them and takes the focus as any other does. */
const Addresses = ({ error, children }: Pick<ProductPicturesProps, 'error' | 'children'>) => {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const field = details.current?.querySelector('textarea');
    if (error === undefined || !details.current || details.current.open) return;
    details.current.open = true;
    if (field && field === field.form?.querySelector('[aria-invalid]')) field.focus();
  }, [error]);
  return (
    <details ref={details}>
      <summary className="inline-flex min-h-11 cursor-pointer items-center text-[0.875rem] font-medium">
        <span className="link">Image URLs</span>
      </summary>
      {children}
    </details>
  );
};

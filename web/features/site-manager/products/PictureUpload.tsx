import { ImageUp, LoaderCircle } from 'lucide-react';
import { useRef, useState, type ChangeEvent } from 'react';
import { getMessage } from '../../../lib/http/api.ts';
import { useUploadPictureMutation } from '../admin-api.ts';

/** The server's limit. It drops the connection of a larger upload without an answer. */
const MOST_BYTES = 10 * 1024 * 1024;
const TOO_LARGE = 'The picture is larger than 10 MB. Send a smaller one.';

/** Sends pictures one by one. `problem` tells why the last one was not taken. */
export const usePictureUpload = (onUploaded: (url: string) => void) => {
  const [upload, { isLoading, error, reset }] = useUploadPictureMutation();
  const [share, setShare] = useState(0);
  const [isTooLarge, setTooLarge] = useState(false);
  const send = async (file: File): Promise<void> => {
    reset();
    setShare(0);
    setTooLarge(file.size > MOST_BYTES);
    if (file.size > MOST_BYTES) return;
    const { data: url } = await upload({ file, onProgress: setShare });
    if (url !== undefined) onUploaded(url);
  };
  return { send, isSending: isLoading, share, problem: isTooLarge ? TOO_LARGE : error && getMessage(error) };
};

type PictureUploadProps = Pick<ReturnType<typeof usePictureUpload>, 'send' | 'isSending' | 'share'>;

/** The last tile of the pictures, which adds one. */
export const PictureUpload = ({ send, isSending, share }: PictureUploadProps) => {
  const chooser = useRef<HTMLInputElement>(null);
  const chosen = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    // Clearing the input allows choosing the same file again after a refusal.
    target.value = '';
    if (file) void send(file);
  };
  return (
    <>
      <input
        ref={chooser}
        type="file"
        accept="image/jpeg,image/png,image/webp,image/avif"
        aria-label="Picture file"
        onChange={chosen}
        className="hidden"
      />
      <button
        type="button"
        aria-busy={isSending}
        disabled={isSending}
        onClick={() => chooser.current?.click()}
        className="flex aspect-4/5 w-full flex-col items-center justify-center gap-2 border border-dashed border-teak bg-white text-[0.8125rem] font-medium hover:border-ink disabled:text-clove"
      >
        {isSending ? <LoaderCircle className="size-5 animate-spin" strokeWidth={1.4} /> : <ImageUp className="size-5" strokeWidth={1.4} />}
        <span>{isSending ? 'Sending...' : 'Add'}</span>
        <span className="sr-only"> a picture</span>
      </button>
      {isSending && (
        <progress
          aria-label="Sent"
          value={share}
          max={1}
          className="mt-2 block h-1 w-full appearance-none bg-sandal [&::-moz-progress-bar]:bg-gold [&::-webkit-progress-bar]:bg-sandal [&::-webkit-progress-value]:bg-gold"
        />
      )}
    </>
  );
};

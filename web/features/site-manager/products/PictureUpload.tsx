import { ImageUp } from 'lucide-react';
import { useRef, useState, type ChangeEvent } from 'react';
import { getMessage } from '../../../lib/http/api.ts';
import { Alert } from '../../../ui/feedback/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import { useUploadPictureMutation } from '../admin-api.ts';

/** The server's limit. It drops the connection of a larger upload without an answer. */
const MOST_BYTES = 10 * 1024 * 1024;
const TOO_LARGE = 'The picture is larger than 10 MB. Send a smaller one.';

export const PictureUpload = ({ onUploaded }: { readonly onUploaded: (url: string) => void }) => {
  const [upload, { isLoading, error, reset }] = useUploadPictureMutation();
  const [share, setShare] = useState(0);
  const [isTooLarge, setTooLarge] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);

  const send = async (file: File): Promise<void> => {
    reset();
    setShare(0);
    setTooLarge(file.size > MOST_BYTES);
    if (file.size > MOST_BYTES) return;
    const { data: url } = await upload({ file, onProgress: setShare });
    if (url !== undefined) onUploaded(url);
  };
  const chosen = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    // Clearing the input allows choosing the same file again after a refusal.
    target.value = '';
    if (file) void send(file);
  };

  return (
    <div className="mt-3">
      <input
        ref={chooser}
        type="file"
        accept="image/jpeg,image/png,image/webp,image/avif"
        aria-label="Picture file"
        onChange={chosen}
        className="hidden"
      />
      <Button kind="outline" className="w-full" busy={isLoading ? 'Sending...' : undefined} onClick={() => chooser.current?.click()}>
        <ImageUp className="size-4" strokeWidth={1.5} />
        Upload a Picture
      </Button>
      {isLoading && (
        <progress
          aria-label="Sent"
          value={share}
          max={1}
          className="mt-2 block h-1 w-full appearance-none bg-sandal [&::-moz-progress-bar]:bg-gold [&::-webkit-progress-bar]:bg-sandal [&::-webkit-progress-value]:bg-gold"
        />
      )}
      {(isTooLarge || error) && <Alert className="mt-3">{isTooLarge ? TOO_LARGE : getMessage(error)}</Alert>}
    </div>
  );
};

import { ImageUp } from 'lucide-react';
import { useRef, useState, type ChangeEvent } from 'react';
import { messageOf } from '../../../lib/http/api.ts';
import { Alert } from '../../../ui/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import { uploadPicture } from '../admin-commands.ts';

/** The server's limit. It would drop the connection of a larger upload without an answer. */
const MOST_BYTES = 10 * 1024 * 1024;
const TOO_LARGE = 'The picture is larger than 10 MB. Send a smaller one.';

type Upload =
  | { readonly state: 'idle' }
  | { readonly state: 'sending'; readonly share: number }
  | { readonly state: 'failed'; readonly message: string };

/** Uploads a picture and passes its URL on. */
export const PictureUpload = ({ onUploaded }: { readonly onUploaded: (url: string) => void }) => {
  const [upload, setUpload] = useState<Upload>({ state: 'idle' });
  const chooser = useRef<HTMLInputElement>(null);

  const send = async (file: File): Promise<void> => {
    if (file.size > MOST_BYTES) return setUpload({ state: 'failed', message: TOO_LARGE });
    setUpload({ state: 'sending', share: 0 });
    try {
      onUploaded(await uploadPicture(file, (share) => setUpload({ state: 'sending', share })));
      setUpload({ state: 'idle' });
    } catch (error) {
      setUpload({ state: 'failed', message: messageOf(error, 'The picture could not be sent') });
    }
  };
  const chosen = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    // Lets the same file be chosen again after a refusal.
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
      <Button
        kind="outline"
        className="w-full"
        busy={upload.state === 'sending' ? 'Sending...' : undefined}
        onClick={() => chooser.current?.click()}
      >
        <ImageUp className="size-4" strokeWidth={1.5} />
        Upload a Picture
      </Button>
      {upload.state === 'sending' && (
        <progress
          aria-label="Sent"
          value={upload.share}
          max={1}
          className="mt-2 block h-1 w-full appearance-none bg-sandal [&::-moz-progress-bar]:bg-gold [&::-webkit-progress-bar]:bg-sandal [&::-webkit-progress-value]:bg-gold"
        />
      )}
      {upload.state === 'failed' && <Alert className="mt-3">{upload.message}</Alert>}
    </div>
  );
};

import { createPortal } from 'react-dom';
import { Toast } from '../../ui/overlay/Toast.tsx';

type WishProblemProps = { readonly problem: string | undefined; readonly onClose: () => void };

/** Says why a heart went back. It is outside of the card, whose link covers it. */
export const WishProblem = ({ problem, onClose }: WishProblemProps) =>
  problem !== undefined && createPortal(<Toast kind="failure" message={problem} onClose={onClose} />, document.body);

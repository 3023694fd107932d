package io.persist.index.node;

/**
 * Makes room in a full leaf: its first entries move to the leaf before it, if a put into the second half finds much
 * room there. Keys that come nearly in order, such as times with random numbers behind them, are put among the last
 * ones again and again, and each split leaves a half behind that gets little more; this fills it.
 *
 * <p>To share with a neighbour before a node is split is what Knuth calls a B*-tree ("The Art of Computer Programming",
 * volume 3, 6.2.4); SQLite balances with both neighbours. Here only puts into the second half do, because random puts
 * gain little by it, and each share rewrites two nodes.
 */
public final class NodeShare {

    /** The leaf before has to have so much room, or shares would come too often. */
    private static final int MIN_ROOM = Node.LENGTH / 4;

    /** What stays free if puts still come there; a leaf without any since it was written gets full. */
    private static final int KEPT_ROOM = Node.LENGTH / 7;

    /** What has to move at least. */
    private static final int MIN_MOVED = Node.LENGTH / 12;

    private final NodeRewrite rewrite = new NodeRewrite();
    private final Node old = Node.scratch();
    private final KeyBuffer first = new KeyBuffer();
    private final KeyBuffer last = new KeyBuffer();
    private final KeyBuffer current = new KeyBuffer();
    private final KeyBuffer separator = new KeyBuffer();
    private int prefix;
    private int moved;

    /** Whether the put of a key that has no room in the gap of {@code leaf} should be tried so. */
    public static boolean isWanted(Node leaf, int index, KeyBuffer key) {
        int count = leaf.count();
        return index < count
                && 2 * index >= count
                && index != leaf.afterLastPut()
                && leaf.usedBytes() + Node.entryBytes(leaf.valueLength(), key.length(), leaf.prefixLength())
                        > Node.LENGTH - NodeInsert.SLACK;
    }

    /**
     * Whether {@code left}, the child at {@code leftIndex} of {@code parent}, can take enough entries of {@code leaf},
     * which comes after it; {@code index} is where the key goes.
     */
    public boolean fits(Node left, Node leaf, Node parent, int leftIndex, int index, KeyBuffer key) {
        if (left.usedBytes() > Node.LENGTH - MIN_ROOM) {
            return false;
        }
        rewrite.begin(leaf, index, key, 0, 0);
        left.readKey(0, first);
        leaf.readKey(index - 1, last);
        prefix = Math.min(left.prefixLength(), first.commonLength(last));
        int kept = left.afterLastPut() == 0 ? 0 : KEPT_ROOM;
        int space = Node.LENGTH - kept - left.usedBytes() - left.count() * (left.prefixLength() - prefix);
        int bytes = 0;
        moved = 0;
        while (moved < index) {
            int next = Node.entryBytes(leaf.valueLength(), leaf.keyLength(moved), prefix);
            if (bytes + next > space) {
                break;
            }
            bytes += next;
            moved++;
        }
        if (bytes < MIN_MOVED || rewrite.bytes(moved, rewrite.count()) > Node.LENGTH - NodeInsert.SLACK) {
            return false;
        }
        rewrite.readKey(moved - 1, last);
        rewrite.readKey(moved, current);
        separator.setBetween(last, current);
        return canReplace(parent, leftIndex);
    }

    /** Whether the separator can be put in the place of the one at {@code index}. */
    private boolean canReplace(Node parent, int index) {
        int bytes = Node.entryBytes(parent.valueLength(), separator.length(), parent.prefixLength());
        return index < parent.count()
                && NodeSearch.sharesPrefix(parent, separator)
                && bytes <= parent.gap() + Node.SLOT_LENGTH;
    }

    /** Moves the entries, and puts the new one, after {@link #fits} said that this can be done with these nodes. */
    public void share(
            Node left, Node leaf, Node parent, int leftIndex, int index, KeyBuffer key, long position, int length) {
        old.copyFrom(left, left.version());
        left.clear(first, prefix);
        left.append(old, old.count(), current);
        left.append(leaf, moved, current);
        left.afterLastPut(0);
        rewrite.begin(leaf, index, key, position, length);
        rewrite.write(leaf, moved, rewrite.count());
        leaf.afterLastPut(index - moved + 1);
        parent.remove(leftIndex);
        parent.insert(leftIndex, separator);
        parent.putChild(leftIndex + 1, leaf.id());
    }
}

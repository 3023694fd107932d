package io.persist.store.checkpoint;

import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.file.Closing;
import io.persist.file.Opening;
import io.persist.file.Storage;
import io.persist.format.checkpoint.CheckpointDirectory;
import io.persist.format.checkpoint.CheckpointHeader;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.index.KeyIndex;
import io.persist.index.node.Node;
import io.persist.index.node.NodeCheck;
import io.persist.index.node.NodeSet;
import io.persist.index.node.NodeSource;
import io.persist.index.read.TreeState;
import io.persist.store.state.SegmentBytes;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A checkpoint and those that it builds on, down to one that has all nodes. Of each node the newest one counts.
 *
 * <p><b>Threads:</b> any may {@link #read}; one at a time opens and closes.
 */
public final class CheckpointChain implements NodeSource {

    private static final byte NO_PART = -1;

    /** So many files at most, since each of them is kept open. */
    static final int MAX_PARTS = 64;

    /** Told that a checkpoint's file is damaged, by the thread that has found it out. */
    @FunctionalInterface
    public interface DamageListener {
        /** The checkpoint at {@code position} has a node that is damaged. */
        void damaged(long position);
    }

    /** Oldest first; chains that were made of one another share them. */
    private final List<CheckpointPart> parts;

    private final TreeState tree;
    private final NodeSet live;
    private final DamageListener listener;

    /** In which part each node is, as an index of the list; and its number there. */
    private final byte[] partOf;

    private final int[] numberOf;

    /** The last damage that was found; read by the thread that has found it, or that waits for it. */
    private volatile @Nullable CorruptLogException damage;

    private boolean closed;

    private CheckpointChain(List<CheckpointPart> parts, byte[] partOf, int[] numberOf, DamageListener listener) {
        this.parts = parts;
        this.tree = newest().tree();
        this.live = newest().live();
        this.listener = listener;
        this.partOf = partOf;
        this.numberOf = numberOf;
    }

    /**
     * Opens the checkpoint at {@code position} and those that it builds on. No node is read.
     *
     * @throws CorruptLogException if one of them is damaged or missing
     * @throws io.persist.error.UnsupportedFormatException if another version wrote one
     */
    static CheckpointChain open(Storage storage, long position, DamageListener listener) throws IOException {
        List<CheckpointPart> parts = new ArrayList<>();
        try (Opening opening = new Opening()) {
            parts.add(opening.add(CheckpointPart.open(storage, position), CheckpointPart::close));
            CheckpointHeader last = parts.get(0).header();
            while (!last.isWhole()) {
                if (parts.size() == MAX_PARTS) {
                    throw damaged(parts.get(0), "it builds on more than " + (MAX_PARTS - 1) + " checkpoints");
                }
                parts.add(opening.add(predecessor(storage, last, parts.get(0)), CheckpointPart::close));
                last = parts.get(parts.size() - 1).header();
            }
            int idLimit = parts.get(0).idLimit();
            Collections.reverse(parts);
            byte[] partOf = new byte[idLimit];
            Arrays.fill(partOf, NO_PART);
            CheckpointChain chain = new CheckpointChain(parts, partOf, new int[idLimit], listener);
            chain.findNodes(0);
            return opening.done(chain);
        }
    }

    /**
     * This chain with the checkpoint at {@code position}; null if that does not build on the newest one of this chain.
     * Both have to be closed. It throws as {@link #open} does.
     */
    @Nullable
    CheckpointChain with(Storage storage, long position) throws IOException {
        try (Opening opening = new Opening()) {
            CheckpointPart part = opening.add(CheckpointPart.open(storage, position), CheckpointPart::close);
            boolean buildsOnThis = part.header().predecessor() == header().position()
                    && part.header().predecessorSalt() == header().salt();
            if (!buildsOnThis || parts.size() == MAX_PARTS) {
                return null;
            }
            int idLimit = Math.max(part.idLimit(), partOf.length);
            byte[] newPartOf = Arrays.copyOf(partOf, idLimit);
            Arrays.fill(newPartOf, partOf.length, idLimit, NO_PART);
            List<CheckpointPart> all = new ArrayList<>(parts);
            all.add(part);
            CheckpointChain chain = new CheckpointChain(all, newPartOf, Arrays.copyOf(numberOf, idLimit), listener);
            chain.findNodes(parts.size());
            parts.forEach(CheckpointPart::share);
            return opening.done(chain);
        }
    }

    private static CheckpointPart predecessor(Storage storage, CheckpointHeader header, CheckpointPart first)
            throws IOException {
        String name = CheckpointName.of(header.predecessor());
        CheckpointPart part;
        try {
            part = CheckpointPart.open(storage, header.predecessor());
        } catch (FileNotFoundException e) {
            throw damaged(first, name + ", on which it builds, is missing");
        }
        if (part.header().salt() != header.predecessorSalt() || part.header().logId() != header.logId()) {
            part.close();
            throw damaged(first, name + " is not the one on which it builds");
        }
        return part;
    }

    private static CorruptLogException damaged(CheckpointPart part, String what) {
        return CheckpointHeader.damaged(part.name(), CheckpointHeader.PREDECESSOR_OFFSET, what);
    }

    /** Where each node is, if that is not before the part with the index {@code from}, of which all is known. */
    private void findNodes(int from) {
        for (int part = from; part < parts.size(); part++) {
            CheckpointPart file = parts.get(part);
            for (int number = 0; number < file.nodes(); number++) {
                int id = file.id(number);
                if (id >= 0 && id < partOf.length) {
                    partOf[id] = (byte) part;
                    numberOf[id] = number;
                }
            }
        }
        for (int id = live.next(0); id != Node.NONE; id = live.next(id + 1)) {
            if (id >= partOf.length || partOf[id] == NO_PART) {
                throw damaged(newest(), "node " + id + " is in none of the files");
            }
        }
        if (!live.contains(tree.root())) {
            throw damaged(newest(), "the root is not in the tree, node=" + tree.root());
        }
    }

    private CheckpointPart newest() {
        return parts.get(parts.size() - 1);
    }

    CheckpointHeader header() {
        return newest().header();
    }

    TreeState tree() {
        return tree;
    }

    /** How much of each segment the tree's values take. */
    SegmentBytes segments() {
        return newest().segments();
    }

    /** Bytes of all files. */
    long length() {
        return parts.stream().mapToLong(CheckpointPart::length).sum();
    }

    ChainSummary summary() {
        return new ChainSummary(
                header(), newest().length(), parts.size(), parts.get(0).length(), length());
    }

    /** Whether the file {@code name} is one of its own. */
    boolean hasFile(String name) {
        return parts.stream().anyMatch(part -> part.name().equals(name));
    }

    /** What was found when a node was read; null if nothing was. */
    @Nullable
    CorruptLogException damage() {
        return damage;
    }

    /** The index, which reads nodes from here and closes this. */
    KeyIndex index(long maxMemoryBytes) {
        return new KeyIndex(maxMemoryBytes, tree, newest().live(), newest().idLimit(), this);
    }

    @Override
    public boolean has(int id) {
        return live.contains(id);
    }

    @Override
    public void read(int id, ByteBuffer target, int at) {
        CheckpointPart part = parts.get(partOf[id]);
        try {
            part.read(numberOf[id], target, at);
            String fault = NodeCheck.findFault(target, at, live, tree.version());
            if (!fault.isEmpty()) {
                throw CheckpointHeader.damaged(
                        part.name(), CheckpointDirectory.nodeOffset(numberOf[id]), fault + ", node " + id);
            }
        } catch (CorruptLogException e) {
            throw noted(part, e);
        } catch (IOException e) {
            throw new LogIOException("cannot read a node of the index: file=" + part.name() + ": " + e.getMessage(), e);
        }
    }

    /** From now on it is known that {@code part} is damaged. */
    private CorruptLogException noted(CheckpointPart part, CorruptLogException found) {
        damage = found;
        listener.damaged(part.header().position());
        return found;
    }

    /**
     * The nodes hang together wrongly. Whichever of them it is that is wrong, and if it was made since of one that was:
     * without the newest file there is another tree.
     */
    @Override
    public CorruptLogException damaged(int id, String what) {
        boolean isThere = id < partOf.length && partOf[id] == parts.size() - 1;
        long offset = isThere ? CheckpointDirectory.nodeOffset(numberOf[id]) : newest().length();
        return noted(newest(), CheckpointHeader.damaged(newest().name(), offset, what + ", node " + id));
    }

    /** Reads all nodes, and throws if one of them is damaged, or they are no tree; returns how many there are. */
    int verify() {
        ByteBuffer node = Node.newBuffer();
        TreeCheck check = new TreeCheck(tree, partOf.length);
        int count = 0;
        for (int id = live.next(0); id != Node.NONE; id = live.next(id + 1)) {
            read(id, node, 0);
            check.add(id, node);
            count++;
        }
        String fault = check.findFault();
        if (!fault.isEmpty()) {
            throw damaged(check.at(), fault);
        }
        return count;
    }

    /** Has no effect the second time. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            Closing.each(parts, CheckpointPart::close);
        }
    }
}

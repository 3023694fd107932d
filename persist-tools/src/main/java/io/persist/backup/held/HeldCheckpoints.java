package io.persist.backup.held;

import io.persist.error.CorruptLogException;
import io.persist.error.RetiredException;
import io.persist.error.UnsupportedFormatException;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.checkpoint.CheckpointFooter;
import io.persist.format.checkpoint.CheckpointHeader;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.store.checkpoint.CheckpointFile;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The checkpoints that a store had at one moment, open: what the store deletes meanwhile can still be copied.
 *
 * <p><b>Threads:</b> one.
 */
public final class HeldCheckpoints implements AutoCloseable {

    private final TreeMap<Long, StorageFile> files = new TreeMap<>();

    /** Those that an earlier run has copied, and read before: their files are the copies. */
    private final Set<Long> trusted = new HashSet<>();

    /** Those of them whose nodes that run has found to be a tree. */
    private final Set<Long> trustedTrees = new HashSet<>();

    private boolean isTrustInDoubt;

    /** Holds none. */
    public HeldCheckpoints() {}

    /**
     * Opens all that are there.
     *
     * @throws RetiredException if the store has replaced one of them since they were listed; try again
     */
    public void open(Storage storage) throws IOException {
        List<Long> positions = storage.list().stream()
                .map(CheckpointName::position)
                .flatMapToLong(OptionalLong::stream)
                .boxed()
                .toList();
        for (long position : positions) {
            String name = CheckpointName.of(position);
            try {
                files.put(position, storage.open(name, Storage.Access.READ));
            } catch (FileNotFoundException e) {
                throw new RetiredException("the checkpoint was replaced by a newer one: file=" + name + "; try again");
            }
        }
    }

    /** Holds {@code file}, which is closed with this, as that at {@code position}. */
    public void add(long position, StorageFile file) {
        files.put(position, file);
    }

    /**
     * Takes the copies of an earlier backup in place of those that are the same, by header, footer and length: the salt
     * in them is that of one checkpoint only. A run has read each byte of a copy before it counted, and of those on
     * which no other one builds every node. So this needs not be done again, and what has gone bad in the store since
     * does not matter to the backup.
     */
    public void trust(HeldCheckpoints backup) throws IOException {
        Set<Long> builtOn = new HashSet<>();
        for (Map.Entry<Long, StorageFile> each : backup.files.entrySet()) {
            builtOn.add(predecessor(each.getKey(), each.getValue()));
        }
        for (Map.Entry<Long, StorageFile> each : Map.copyOf(files).entrySet()) {
            long position = each.getKey();
            StorageFile copy = backup.files.get(position);
            if (copy != null && isSame(each.getValue(), copy)) {
                files.put(position, copy);
                backup.files.remove(position);
                each.getValue().close();
                trusted.add(position);
                if (!builtOn.contains(position)) {
                    trustedTrees.add(position);
                }
            }
        }
    }

    private static boolean isSame(StorageFile file, StorageFile copy) throws IOException {
        long length = file.length();
        return length == copy.length()
                && Arrays.equals(part(file, 0, CheckpointHeader.LENGTH), part(copy, 0, CheckpointHeader.LENGTH))
                && Arrays.equals(
                        part(file, length - CheckpointFooter.LENGTH, CheckpointFooter.LENGTH),
                        part(copy, length - CheckpointFooter.LENGTH, CheckpointFooter.LENGTH));
    }

    /** What the file has there of so many bytes, zeros behind its end. */
    private static byte[] part(StorageFile file, long offset, int length) throws IOException {
        byte[] bytes = new byte[length];
        file.readFully(Math.max(0, offset), bytes, 0, length);
        return bytes;
    }

    /** Whether this one is the copy of an earlier backup. */
    public boolean isTrusted(long position) {
        return trusted.contains(position);
    }

    /** Whether any of them is. */
    public boolean isAnyTrusted() {
        return !trusted.isEmpty();
    }

    /** Whether one was dropped for what may be wrong with the copies of an earlier backup. */
    public boolean isTrustInDoubt() {
        return isTrustInDoubt;
    }

    /** The position of the newest one; 0 if there is none. */
    public long newest() {
        return files.isEmpty() ? 0 : files.lastKey();
    }

    /**
     * Those with which a log can be opened that has everything from {@code position} on, and those that they build on.
     * The others belong to what compaction has taken away since they were opened.
     */
    public NavigableMap<Long, StorageFile> usefulFrom(long position) throws IOException {
        TreeMap<Long, StorageFile> useful = new TreeMap<>(files.tailMap(position, true));
        for (Map.Entry<Long, StorageFile> each : List.copyOf(useful.entrySet())) {
            long before = predecessor(each.getKey(), each.getValue());
            while (files.containsKey(before) && !useful.containsKey(before)) {
                StorageFile file = files.get(before);
                useful.put(before, file);
                before = predecessor(before, file);
            }
        }
        return useful;
    }

    /**
     * Lets go of each one of the {@linkplain #usefulFrom useful} ones that is damaged somewhere, also where opening
     * does not look, and of each one that builds on such a one. Every byte of them is read, and then once more every
     * node that counts; but nothing that an earlier run has read.
     *
     * @param storage in which they were found
     * @return what is wrong with each of them
     */
    public List<String> dropDamaged(Storage storage, long position) throws IOException {
        SortedMap<Long, StorageFile> useful = usefulFrom(position);
        HeldFiles held = new HeldFiles(storage);
        useful.forEach((at, file) -> held.add(CheckpointName.of(at), file));
        List<String> dropped = new ArrayList<>();
        for (Map.Entry<Long, StorageFile> each : useful.entrySet()) {
            long at = each.getKey();
            String fault = fault(held, at, predecessor(at, each.getValue()));
            if (!fault.isEmpty()) {
                dropped.add(drop(at, fault));
            }
        }
        dropWrongTrees(held, position, dropped);
        return dropped;
    }

    private String fault(Storage held, long position, long predecessor) throws IOException {
        if (predecessor != CheckpointHeader.NONE && !files.containsKey(predecessor)) {
            return CheckpointName.of(predecessor) + ", on which it builds, is damaged or missing";
        }
        return isTrusted(position) ? "" : CheckpointFile.fault(held, position);
    }

    /**
     * What is left is whole, and its nodes may be no tree. Opening tries the newest one of each chain. What a good one
     * builds on stays, whether it is a tree for itself or not: without it that one could not be used either.
     */
    private void dropWrongTrees(Storage held, long position, List<String> dropped) throws IOException {
        Set<Long> builtOn = new HashSet<>();
        for (Map.Entry<Long, StorageFile> each :
                usefulFrom(position).descendingMap().entrySet()) {
            long at = each.getKey();
            boolean isKnown = builtOn.contains(at) || trustedTrees.contains(at);
            String fault = isKnown ? "" : CheckpointFile.treeFault(held, at);
            if (fault.isEmpty()) {
                builtOn.add(predecessor(at, each.getValue()));
            } else {
                isTrustInDoubt |= isAnyTrusted();
                dropped.add(drop(at, fault));
            }
        }
    }

    private String drop(long position, String fault) {
        StorageFile file = files.remove(position);
        trusted.remove(position);
        if (file != null) {
            file.close();
        }
        return CheckpointName.of(position) + ": " + fault;
    }

    /** Of one whose header is damaged none is known. */
    private static long predecessor(long position, StorageFile file) throws IOException {
        byte[] header = new byte[CheckpointHeader.LENGTH];
        if (file.readFully(0, header, 0, header.length) < header.length) {
            return CheckpointHeader.NONE;
        }
        try {
            return CheckpointHeader.decode(header, CheckpointName.of(position), position)
                    .predecessor();
        } catch (CorruptLogException | UnsupportedFormatException unknown) {
            return CheckpointHeader.NONE;
        }
    }

    @Override
    public void close() {
        files.values().forEach(StorageFile::close);
    }
}

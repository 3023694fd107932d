package io.persist.backup;

import io.persist.error.CorruptLogException;
import io.persist.error.RetiredException;
import io.persist.error.UnsupportedFormatException;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.checkpoint.CheckpointHeader;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.store.checkpoint.CheckpointFile;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
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
final class HeldCheckpoints implements AutoCloseable {

    private final TreeMap<Long, StorageFile> files = new TreeMap<>();

    /**
     * Opens all that are there.
     *
     * @throws RetiredException if the store has replaced one of them since they were listed; try again
     */
    void open(Storage storage) throws IOException {
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

    /** The position of the newest one; 0 if there is none. */
    long newest() {
        return files.isEmpty() ? 0 : files.lastKey();
    }

    /**
     * Those with which a log can be opened that has everything from {@code position} on, and those that they build on.
     * The others belong to what compaction has taken away since they were opened.
     */
    NavigableMap<Long, StorageFile> usefulFrom(long position) throws IOException {
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
     * node that counts.
     *
     * @param storage in which they were found
     * @return what is wrong with each of them
     */
    List<String> dropDamaged(Storage storage, long position) throws IOException {
        SortedMap<Long, StorageFile> useful = usefulFrom(position);
        HeldFiles held = new HeldFiles(storage);
        useful.forEach((at, file) -> held.add(CheckpointName.of(at), file));
        List<String> dropped = new ArrayList<>();
        for (Map.Entry<Long, StorageFile> each : useful.entrySet()) {
            long at = each.getKey();
            long before = predecessor(at, each.getValue());
            String fault = before == CheckpointHeader.NONE || files.containsKey(before)
                    ? CheckpointFile.fault(held, at)
                    : CheckpointName.of(before) + ", on which it builds, is damaged or missing";
            if (!fault.isEmpty()) {
                dropped.add(drop(at, fault));
            }
        }
        dropWrongTrees(held, position, dropped);
        return dropped;
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
            String fault = builtOn.contains(at) ? "" : CheckpointFile.treeFault(held, at);
            if (fault.isEmpty()) {
                builtOn.add(predecessor(at, each.getValue()));
            } else {
                dropped.add(drop(at, fault));
            }
        }
    }

    private String drop(long position, String fault) {
        StorageFile file = files.remove(position);
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

package io.persist.tool.repair;

import io.persist.file.ForwardingStorage;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.checkpoint.CheckpointName;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/**
 * A directory of checkpoints as it would be if those that lie beside the log were moved there. It is for reading.
 *
 * @param storage of the directory
 * @param log the storage of the log
 * @param names of the checkpoints beside the log
 */
record MovedCheckpoints(Storage storage, Storage log, List<String> names) implements ForwardingStorage {

    static MovedCheckpoints of(Storage storage, Storage log) throws IOException {
        List<String> names = log.list().stream()
                .filter(name -> CheckpointName.position(name).isPresent())
                .toList();
        return new MovedCheckpoints(storage, log, names);
    }

    private Storage at(String name) {
        return names.contains(name) ? log : storage;
    }

    @Override
    public List<String> list() throws IOException {
        return Stream.concat(names.stream(), storage.list().stream()).distinct().toList();
    }

    @Override
    public StorageFile open(String name, Access access) throws IOException {
        return at(name).open(name, access);
    }

    @Override
    public long identity(String name) throws IOException {
        return at(name).identity(name);
    }
}

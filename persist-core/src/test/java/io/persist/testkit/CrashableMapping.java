package io.persist.testkit;

import io.persist.file.Mapping;
import io.persist.file.Storage.Access;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/** A mapping of a file of a {@link CrashableStorage}: the file's page cache itself. */
final class CrashableMapping implements Mapping {

    private final CrashableStorage storage;
    private final SimulatedFile file;
    private final UntoldErrors errors;
    private final ByteBuffer buffer;
    private boolean closed;

    /** The storage's lock is held. */
    CrashableMapping(CrashableStorage storage, SimulatedFile file, int length, Access access) {
        this.storage = storage;
        this.file = file;
        this.errors = new UntoldErrors(file);
        ByteBuffer whole = file.map(length);
        this.buffer = access == Access.WRITE ? whole : whole.asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
        file.openMappings++;
        storage.handleOpened();
    }

    @Override
    public ByteBuffer buffer() {
        return buffer;
    }

    @Override
    public void force(int offset, int length) throws IOException {
        try {
            storage.announce("force " + file.name);
        } catch (IOException failure) {
            synchronized (storage) {
                errors.syncFailed(offset, length);
            }
            throw failure;
        }
        synchronized (storage) {
            storage.checkPower();
            if (closed) {
                throw new IllegalStateException("force of a closed mapping, file=" + file.name);
            }
            Objects.checkFromIndexSize(offset, length, buffer.capacity());
            file.persist(offset, length, SimulatedFile.PAGE);
            errors.tell();
        }
    }

    @Override
    public void close() {
        synchronized (storage) {
            if (!closed) {
                closed = true;
                file.openMappings--;
                storage.handleClosed();
            }
        }
    }
}

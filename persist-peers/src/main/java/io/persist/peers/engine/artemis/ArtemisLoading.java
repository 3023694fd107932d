package io.persist.peers.engine.artemis;

import java.util.List;
import org.apache.activemq.artemis.core.journal.LoaderCallback;
import org.apache.activemq.artemis.core.journal.PreparedTransactionInfo;
import org.apache.activemq.artemis.core.journal.RecordInfo;
import org.jspecify.annotations.Nullable;

/** Shown what is in Artemis' journal when it is loaded. The messages are plain records, never deleted or updated. */
final class ArtemisLoading implements LoaderCallback {

    private final @Nullable List<RecordInfo> records;

    /** Collects the records in a list; null: only goes over them. */
    ArtemisLoading(@Nullable List<RecordInfo> records) {
        this.records = records;
    }

    @Override
    public void addRecord(RecordInfo record) {
        if (records != null) {
            records.add(record);
        }
    }

    @Override
    public void updateRecord(RecordInfo record) {
        throw new IllegalStateException("an update of record " + record.id);
    }

    @Override
    public void deleteRecord(long id) {
        throw new IllegalStateException("a delete of record " + id);
    }

    @Override
    public void addPreparedTransaction(PreparedTransactionInfo transaction) {
        throw new IllegalStateException("a prepared transaction");
    }

    @Override
    public void failedTransaction(long id, List<RecordInfo> records, List<RecordInfo> recordsToDelete) {
        throw new IllegalStateException("a failed transaction " + id);
    }
}

package io.persist.file;

import io.persist.testkit.CrashableStorage;
import io.persist.testkit.FaultyStorage;

class FaultyStorageContractTest extends StorageContract {

    @Override
    protected Storage newStorage() {
        return new FaultyStorage(new CrashableStorage());
    }
}

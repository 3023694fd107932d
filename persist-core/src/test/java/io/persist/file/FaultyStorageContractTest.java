package io.persist.file;

import io.persist.support.CrashableStorage;
import io.persist.support.FaultyStorage;

class FaultyStorageContractTest extends StorageContract {

    @Override
    Storage newStorage() {
        return new FaultyStorage(new CrashableStorage());
    }
}

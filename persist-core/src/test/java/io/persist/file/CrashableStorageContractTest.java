package io.persist.file;

import io.persist.support.CrashableStorage;

class CrashableStorageContractTest extends StorageContract {

    @Override
    Storage newStorage() {
        return new CrashableStorage();
    }
}

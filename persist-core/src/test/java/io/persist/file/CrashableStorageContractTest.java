package io.persist.file;

import io.persist.testkit.CrashableStorage;

class CrashableStorageContractTest extends StorageContract {

    @Override
    Storage newStorage() {
        return new CrashableStorage();
    }
}
